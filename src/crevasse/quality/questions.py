"""Answer what everyone asks of a surface from normals: why is it bent, why are there steps, what is z."""

from __future__ import annotations

from typing import Any, NamedTuple

from crevasse.notices import Wording
from crevasse.quality.advice import NOTHING, Advice
from crevasse.quality.measures import Bend, JumpSizes
from crevasse.result import Integration
from crevasse.uncertainty import Uncertainty
from crevasse.uncertainty.reliability import length, percent

FLAT = 1.0
"""Pixels that a surface may curve by over its width and still be called flat."""
MANY_UNTURNED = 0.2
"""Share of jumps without a turn of the normals from which some are probably false."""


class Answer(NamedTuple):
    """A question, what the numbers say, and what to do."""

    question: str
    words: str
    do: Advice

    def to_dict(self, wording: Wording) -> dict[str, Any]:
        """As JSON can hold it."""
        return {"question": self.question, "words": self.words, "do": self.do.worded(wording)}


def why_bent(result: Integration, bend: Bend) -> Answer:
    """Slopes add up, so that small errors of the normals bend the whole."""
    question = "Why is it bent?"
    if bend.sag < FLAT:
        return Answer(question, f"It is not: it curves by {bend.sag:.2g} px over its width.", NOTHING)
    words = f"It curves by {bend.sag:.3g} px over its width, because the normals say so."
    if result.noise is not None and result.noise.smooth:
        words += " Part of that is false: neighbouring normals have similar errors here, which add up to a bend."
        do = "If the object is flatter, calibrate the lights of the photographs"
    else:
        words += " If the object is flatter, neighbouring normals have similar errors, which need not show in a map."
        do = "If the object is flatter, check the lights of the photographs"
    if result.camera.gauge == "offset":
        words += " The map was read as seen from far away; a perspective that nobody stated bends a surface, too."
        near = f"{do}; if it was photographed from nearby, give the field of view ({{}})."
        return Answer(question, words, Advice(near, ("field_of_view",)))
    return Answer(question, words, Advice(f"{do}."))


def why_steps(result: Integration, jumps: JumpSizes) -> Answer:
    """Steps are jumps that are there, or that errors of the normals made."""
    question = "Why are there steps?"
    if not sum(jumps.counts):
        if getattr(result.method, "tears", True):
            return Answer(question, "There are none.", NOTHING)
        name = type(result.method).__name__
        words = f"There are none, because {name} never makes any: where the object has steps, it is bent instead."
        return Answer(question, words, Advice("The default method finds jumps."))
    words = (
        f"{percent(jumps.share)} of all pairs of neighbours are separated. At {percent(1 - jumps.unturned)} of these"
        " the"
        " normals turn, as they do where one thing hides another."
    )
    if result.island_count:
        words += " The height of a step around an island is a guess."
    if jumps.unturned > MANY_UNTURNED:
        words += " The others may be false: noise, shadows and blurred contours leave such steps."
        do = "Compare with the picture of the jumps. Mask shadows, or close false jumps with strokes that join ({})."
        return Answer(question, words, Advice(do, ("hints",)))
    return Answer(question, words, Advice("Compare with the picture of the jumps."))


def what_is_z(result: Integration, found: Uncertainty) -> Answer:
    """Normals have no scale."""
    question = "What is z in millimetres?"
    if result.unit:
        words = (
            f"Depth is in {result.unit} and grows away from the viewer. A pixel is {result.footprint:.3g}"
            f" {result.unit} wide on the surface. Estimated 90 % intervals: at most"
            f" ± {length(result, found.rating.half_width)} for half of the pixels."
        )
        return Answer(question, words, NOTHING)
    if result.camera.gauge == "offset":
        example = found.rating.relief / result.footprint * 0.1
        words = (
            "Not known, because normals have no scale. Depth is in pixels: multiply it by the width of a pixel on the"
            f" object. If that is 0.1 mm, the relief of this surface is {example:.3g} mm."
        )
        do = "Give the width of a pixel ({}), or a length between two pixels ({})."
        return Answer(question, words, Advice(do, ("pixel_size", "ruler")))
    words = (
        "Not known, because normals have no scale: twice as large and twice as far looks the same. All of the depth"
        " may"
        " be multiplied by one number."
    )
    do = "Give the distance of the object ({}), or a length between two pixels ({})."
    return Answer(question, words, Advice(do, ("distance", "ruler")))
