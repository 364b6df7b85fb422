"""The identity of a result: the content of its inputs, how they were read, the method's settings, the version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import crevasse
from crevasse.files.errors import BadInput
from crevasse.files.map_folder import input_files
from crevasse.files.pixels import describe, read_head

Identity = dict[str, Any]
ABSENT = "absent"


def identify(
    source: Path,
    mask: Path | None,
    camera: Path | None,
    reading: Mapping[str, Any],
    method: Any,
    outputs: Any,
    weights: Path | None = None,
    hints: Path | None = None,
    known: Mapping[str, Path | None] = MappingProxyType({}),
) -> Identity:
    """What a result depends on, before anything is computed.

    Two results with the same identity are the same, bit for bit, on the same machine.

    Parameters
    ----------
    source, mask, camera, weights, hints, known : the map and the files given with it; those of a folder are found
    reading : options that say how the map is read
    method : the method with its settings
    outputs : which files are written
    """
    files = input_files(source, mask, camera, outputs.photo, weights, hints, known)
    return {
        "version": crevasse.__version__,
        "inputs": {role: content_hash(path) for role, path in files.items()},
        **settings_identity(reading, method, outputs),
    }


def identify_scene(name: str, method: Any, outputs: Any) -> Identity:
    """What a result of a built-in scene depends on."""
    return {
        "version": crevasse.__version__,
        "inputs": {"scene": name},
        **settings_identity({}, method, outputs),
    }


def settings_identity(reading: Mapping[str, Any], method: Any, outputs: Any) -> Identity:
    """The part of an identity that all maps of a batch share."""
    from dataclasses import asdict

    shared = {
        "reading": {name: value for name, value in reading.items() if value not in (None, False)},
        "method": method.name,
        "settings": asdict(method),
        # A photograph is identified by its content, like the other inputs.
        "outputs": asdict(outputs) | {"photo": outputs.photo is not None},
    }
    # JSON turns tuples into lists; make them comparable with an identity that was read back.
    plain: Identity = json.loads(json.dumps(shared, default=str))
    return plain


def content_hash(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    read_head(path, 1)
    try:
        with open(path, "rb") as stream:
            return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {describe(error)}") from None


def differences(old: Any, new: Identity) -> list[str]:
    """Describe how an identity differs from one that was read from a file; empty where they are the same."""
    if not isinstance(old, dict):
        return ["its inputs and settings are not recorded"]
    found = []
    before, after = _flat(old), _flat(new)
    for name in dict.fromkeys([*before, *after]):
        was, now = before.get(name, ABSENT), after.get(name, ABSENT)
        if was == now:
            continue
        group, _, rest = name.partition(".")
        if group == "inputs":
            found.append(
                f"the content of {rest} changed" if ABSENT not in (was, now) else f"{rest} was added or removed"
            )
        else:
            found.append(f"{rest or group} was {was} and is {now}")
    return found


def _flat(identity: Mapping[str, Any]) -> dict[str, Any]:
    """Flatten nested dictionaries: values under dotted names."""
    flat: dict[str, Any] = {}
    for name, value in identity.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{inner}": part for inner, part in value.items()}
        else:
            flat[name] = value
    return flat
