"""Image files through OpenImageIO."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crevasse.files.errors import BadInput
from crevasse.files.memory import require_memory
from crevasse.files.pixels import IMAGES, Pixels, read_head
from crevasse.files.whole import is_cut_short
from crevasse.memory import HARD_LIMIT, reading_bytes
from crevasse.notices import Notice, Setting

DAMAGED = "it is cut short, or not what its first bytes say; export the map again"
_AXES = (("x", "y", "z"), ("r", "g", "b"), ("nx", "ny", "nz"))
_BITS = {"uint8": 8, "uint16": 16, "uint32": 32, "half": 16, "float": 32, "double": 64}


def read_image(path: Path, kind: str, limit: int | None, role: str, layer: str | None) -> Pixels:
    """The samples of an image file; see `samples.read_pixels`."""
    try:
        return _open_and_read(path, kind, limit, role, layer)
    except BadInput:
        raise
    except (UnicodeDecodeError, RuntimeError, SystemError, ValueError, OverflowError) as error:
        # Texts inside the file, which the reader decodes, can be damaged too.
        raise BadInput(f"{path} is damaged: {DAMAGED}") from error


def _open_and_read(path: Path, kind: str, limit: int | None, role: str, layer: str | None) -> Pixels:
    import OpenImageIO as oiio

    if kind == "png":
        _require_png(path, limit)
    if is_cut_short(path, kind):
        raise BadInput(f"{path} is damaged: {DAMAGED}")
    # Refuse by our own estimate, which counts all later steps, before anything is allocated.
    oiio.attribute("limits:imagesize_MB", HARD_LIMIT >> 20)
    oiio.attribute("limits:channels", 1024)
    config = oiio.ImageSpec()
    config["oiio:UnassociatedAlpha"] = 1
    config["oiio:RawColor"] = 1
    with _encodable(path) as name:
        image = oiio.ImageInput.open(name, config)
        if image is None:
            reason = oiio.geterror()
            if "limits:imagesize_MB" in reason:
                too_large = f"{path} is larger than the memory that may be used"
                raise BadInput(Notice(too_large, Setting("max_memory"), cure="use a smaller map"))
            raise BadInput(f"{path} is damaged: it cannot be opened as {IMAGES[kind]}; export the map again")
        try:
            return _read_part(image, path, kind, limit, role, layer)
        finally:
            image.close()


@contextmanager
def _encodable(path: Path) -> Iterator[str]:
    """A file name that the library accepts: a temporary one for a name that is not Unicode."""
    if str(path).encode("utf-8", "ignore").decode() == str(path):
        yield str(path)
        return
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / f"image{path.suffix.encode('ascii', 'ignore').decode()}"
        link.symlink_to(path.resolve())
        yield str(link)


def _read_part(image: Any, path: Path, kind: str, limit: int | None, role: str, layer: str | None) -> Pixels:
    parts = _parts(image)
    part, wanted = choose_channels(parts, role, layer, path)
    image.seek_subimage(part, 0)
    spec = image.spec()
    if spec.depth > 1 or spec.width < 1 or spec.height < 1:
        raise BadInput(f"{path} holds {spec.width} x {spec.height} x {spec.depth} samples; a flat image is needed")
    area = max(spec.full_height, spec.height), max(spec.full_width, spec.width)
    require_memory(reading_bytes(area, spec.nchannels * spec.format.size()), limit, f"{path} ({size(spec)})")
    samples = image.read_image(part, 0, 0, spec.nchannels, spec.format)
    if samples is None:
        image.geterror()
        raise BadInput(f"{path} is damaged: {DAMAGED}")
    samples = _whole_window(samples.reshape(spec.height, spec.width, spec.nchannels), spec)
    alpha = None
    if spec.alpha_channel >= 0 and spec.alpha_channel not in wanted:
        alpha = _to_unit(samples[..., spec.alpha_channel])
    bits = _BITS.get(str(spec.format), 8 * spec.format.size())
    if wanted != list(range(spec.nchannels)):
        samples = samples[..., wanted]
    return Pixels(np.ascontiguousarray(samples), bits, kind, alpha)


def _require_png(path: Path, limit: int | None) -> None:
    """Refuse a PNG that is too large by its header: some readers call such a file damaged."""
    head = read_head(path, 33)
    if len(head) == 33 and head[12:16] == b"IHDR":
        width, height, bits, colours = struct.unpack(">IIBB", head[16:26])
        channels = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}.get(colours, 1)
        what = f"{path} ({width} x {height} pixels, {channels} channels)"
        require_memory(reading_bytes((height, width), channels * max(bits // 8, 1)), limit, what)


def size(spec: Any) -> str:
    """Size of an image in words."""
    return f"{spec.width} x {spec.height} pixels, {spec.nchannels} channels"


def _parts(image: Any) -> list[list[str]]:
    """Channel names of every part of the file."""
    parts: list[list[str]] = []
    while len(parts) < 64 and image.seek_subimage(len(parts), 0):
        spec = image.spec()
        name = spec.get_string_attribute("name") or spec.get_string_attribute("oiio:subimagename")
        channels = [str(c) for c in spec.channelnames]
        parts.append([c if "." in c or not name else f"{name}.{c}" for c in channels] if name else channels)
    return parts


def choose_channels(parts: list[list[str]], role: str, layer: str | None, path: Path) -> tuple[int, list[int]]:
    """Choose the part and its channels that hold the map: `layer`, else a layer called normal, else the colours."""
    layers = [found for part, names in enumerate(parts) for found in _layers(part, names)]
    if layer is not None:
        chosen = [x for x in layers if x[0].lower() == layer.lower() or x[0].lower().endswith("." + layer.lower())]
        if not chosen:
            known = ", ".join(sorted({x[0] or "(unnamed)" for x in layers})) or "none"
            raise BadInput(f"{path} has no layer {layer!r}; its layers are: {known}")
        return chosen[0][1:]
    if role == "normals":
        named = [x for x in layers if x[0].lower().rpartition(".")[2] in ("normal", "normals", "n")]
        if named:
            return named[0][1:]
    plain = [x for x in layers if len(x[2]) == 3] or layers
    if plain:
        return plain[0][1:]
    colours = [i for i, name in enumerate(parts[0]) if name.lower().rpartition(".")[2] not in ("a", "alpha")]
    return 0, colours[:3]


def _layers(part: int, names: list[str]) -> list[tuple[str, int, list[int]]]:
    """Groups of channels named x, y, z or r, g, b under a common prefix."""
    groups: dict[str, dict[str, int]] = {}
    for index, name in enumerate(names):
        prefix, _, last = name.rpartition(".")
        groups.setdefault(prefix, {}).setdefault(last.lower(), index)
    found = []
    for prefix, channels in groups.items():
        for axes in _AXES:
            count = 3 if all(a in channels for a in axes) else 2
            if all(a in channels for a in axes[:count]):
                found.append((prefix, part, [channels[a] for a in axes[:count]]))
                break
    return found


def _whole_window(samples: NDArray[Any], spec: Any) -> NDArray[Any]:
    """An EXR's data window in its display window, 0 around it."""
    top, left = spec.y - spec.full_y, spec.x - spec.full_x
    height, width = spec.full_height, spec.full_width
    if (spec.height, spec.width) == (height, width):
        return samples
    if top < 0 or left < 0 or top + spec.height > height or left + spec.width > width:
        return samples
    whole = np.zeros((height, width, samples.shape[2]), samples.dtype)
    whole[top : top + spec.height, left : left + spec.width] = samples
    return whole


def _to_unit(samples: NDArray[Any]) -> NDArray[np.float32]:
    largest = np.iinfo(samples.dtype).max if samples.dtype.kind in "iu" else 1
    return np.asarray(samples, np.float32) / np.float32(largest)
