"""The methods by name, what their settings are, and how to make one from a name and values."""

from __future__ import annotations

import difflib
import inspect
from dataclasses import MISSING, fields
from typing import Any, NamedTuple

from crevasse.cameras.checks import require_finite
from crevasse.methods.alpha_surface import AlphaSurface
from crevasse.methods.anisotropic import AnisotropicDiffusion
from crevasse.methods.auxiliary import AuxiliaryEdges
from crevasse.methods.bilateral import Bilateral
from crevasse.methods.cosine import Cosine
from crevasse.methods.curl_cuts import CurlCuts
from crevasse.methods.diffusion import Diffusion
from crevasse.methods.discrete_geometry import DiscreteGeometry
from crevasse.methods.expectation import ExpectationMaximisation
from crevasse.methods.fourier import Fourier
from crevasse.methods.graduated import Graduated
from crevasse.methods.log_estimator import LogEstimator
from crevasse.methods.m_estimator import MEstimator
from crevasse.methods.multi_scale import MultiScale
from crevasse.methods.mumford_shah import MumfordShah
from crevasse.methods.poisson import Poisson
from crevasse.methods.problem import Method
from crevasse.methods.ratio_estimator import RatioEstimator
from crevasse.methods.regularised import Regularised
from crevasse.methods.residual_cuts import ResidualCuts
from crevasse.methods.settings import setting_meanings
from crevasse.methods.spanning_tree import SpanningTree
from crevasse.methods.total_variation import TotalVariation

DEFAULT = Graduated.name

LITERATURE = (
    Fourier,
    Cosine,
    ResidualCuts,
    CurlCuts,
    AlphaSurface,
    MEstimator,
    Regularised,
    Diffusion,
    SpanningTree,
    ExpectationMaximisation,
    MultiScale,
    DiscreteGeometry,
    TotalVariation,
    LogEstimator,
    RatioEstimator,
    AnisotropicDiffusion,
    MumfordShah,
)
"""Methods of the literature, in order of publication."""

METHODS: dict[str, type[Any]] = {
    cls.name: cls for cls in (Graduated, AuxiliaryEdges, Bilateral, Poisson, *LITERATURE)
}
"""The methods by their names on the command line, on the page and in Python: the default first."""

KINDS = {bool: "switch", int: "integer", float: "number", str: "text"}


class Setting(NamedTuple):
    """A field of a method's settings."""

    name: str
    kind: str
    """"switch", "integer", "number" or "text"."""
    default: Any
    about: str
    advanced: bool


class Description(NamedTuple):
    """Description of a method for forms and help."""

    name: str
    title: str
    about: str
    settings: tuple[Setting, ...]


def describe(cls: type[Any]) -> Description:
    """Name, title, sentence and settings of a method, its own first, with the meanings that its docstring gives."""
    meanings, own = setting_meanings(cls), inspect.get_annotations(cls)
    settings = tuple(
        Setting(
            name=field.name,
            kind=KINDS[type(field.default)],
            default=field.default,
            about=meanings.get(field.name) or field.name.replace("_", " "),
            advanced=bool(field.metadata.get("advanced")),
        )
        for field in sorted(fields(cls), key=lambda field: field.name not in own)
        if field.init and field.default is not MISSING
    )
    return Description(cls.name, cls.title, cls.about, settings)


def find(name: str) -> type[Any]:
    """The class of a method by its name."""
    if name not in METHODS:
        near = difflib.get_close_matches(name.lower(), METHODS, 1) if isinstance(name, str) else []
        guess = f" (did you mean {near[0]}?)" if near else ""
        raise ValueError(f"method is {name!r:.80}{guess}; give one of {', '.join(METHODS)}, or an object")
    return METHODS[name]


def make(name: str, values: dict[str, Any] | None = None) -> Method:
    """The method of a name, with these settings and the defaults of all others.

    >>> make("bilateral", {"k": 4}).k
    4.0
    """
    cls = find(name)
    known = {setting.name: setting for setting in describe(cls).settings}
    settings = {}
    for key, value in (values or {}).items():
        if key not in known:
            raise ValueError(f"{key!r} is not a setting of {name}; it has {', '.join(known)}")
        settings[key] = _convert(known[key], value)
    made: Method = cls(**settings)
    return made


def _convert(setting: Setting, value: Any) -> Any:
    """A value as the setting's own type; refuses values of another kind."""
    wanted: Any = {"switch": bool, "text": str}.get(setting.kind, (int, float))
    if not isinstance(value, wanted) or (isinstance(value, bool) and setting.kind != "switch"):
        raise ValueError(f"{setting.name} is {value!r}; it must be a {setting.kind}")
    if setting.kind in ("integer", "number"):
        require_finite(setting.name, value)
        if setting.kind == "integer" and value != int(value):
            raise ValueError(f"{setting.name} is {value!r}; it must be a whole number")
    return type(setting.default)(value)
