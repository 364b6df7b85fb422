"""Mutates real files and reads them: run by test_fuzz.py in a process of its own, so that a crash is seen.

Files lie in the folder of the reader that they are meant for: maps, cameras, photos, a map's folder, a result.
"""

import faulthandler
import io
import random
import signal
import struct
import sys
import zipfile
import zlib
from pathlib import Path

import numpy as np

from crevasse.files import BadInput, BadOutput, read_camera, read_folder, read_mask, read_normals
from crevasse.files.depth_files import write_image
from crevasse.files.manifest import read_manifest, read_settings
from crevasse.files.photo import read_photo
from crevasse.files.read_result import read_result

LIMIT = 64 << 20
SLACK = 96 << 20
"""Bytes that the libraries may keep for themselves."""
SIDE = 20


SLOW = ("new.mat", "linked.mat")
"""Version 7.3 is read in a process of its own, which takes its time."""
SLOW_EVERY = 500
REFUSED = ("texts.npz", "objects.npy", "unknown.npz", "bomb.npz", "deep.json", "linked.mat")
"""Originals that are attacks themselves."""


def make_originals(folder: Path) -> list[Path]:
    """A small good file of each kind, in the folder of its reader."""
    v, u = (np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2) / SIDE
    normals = np.stack([u, -v, np.sqrt(1 - u * u - v * v)], axis=-1)
    colours = np.rint((normals + 1) / 2 * 255).astype(np.uint8)
    for name in ("maps", "cameras", "photos", "folder", "result"):
        (folder / name).mkdir()
    make_images(folder / "maps", normals, colours)
    make_arrays(folder / "maps", normals)
    make_attacks(folder, normals)
    matrix = "500 0 9.5\n0 500 9.5\n0 0 1\n"
    (folder / "cameras" / "K.txt").write_text(matrix)
    (folder / "cameras" / "cameras.txt").write_text("# comment\n1 PINHOLE 20 20 500 500 10 10\n")
    (folder / "cameras" / "transforms.json").write_text('{"fl_x": 500.0, "cx": 10, "cy": 10, "w": 20, "h": 20}')
    for name in ("photo.jpg", "photo.png"):
        (folder / "photos" / name).write_bytes((folder / "maps" / name.replace("photo", "8")).read_bytes())
    write_image(folder / "folder" / "normal_map.png", colours, {})
    write_image(folder / "folder" / "mask.png", np.full((SIDE, SIDE, 1), 255, np.uint8), {})
    (folder / "folder" / "K.txt").write_text(matrix)
    (folder / "folder" / "meta.json").write_text('{"pixel_footprint_at_median_depth": 0.5, "depth_unit": "mm"}')
    np.savez(folder / "folder" / "depth_gt.npz", depth_gt=normals[..., 2])
    np.save(folder / "folder" / "weights.npy", normals[..., 2].astype(np.float32))
    np.save(folder / "result" / "depth.npy", normals[..., 2])
    (folder / "result" / "result.json").write_text(
        '{"camera": {"model": "perspective", "fx": 500.0, "fy": 500.0, "cx": 9.5, "cy": 9.5}}'
    )
    (folder / "result" / "manifest.jsonl").write_text('{"input": "a", "state": "done"}\n{"input": "b"}\n')
    (folder / "result" / "batch.json").write_text('{"settings": {"frame": "auto"}}')
    return sorted(path for path in folder.rglob("*.*") if path.is_file())


def make_images(folder: Path, normals: np.ndarray, colours: np.ndarray) -> None:
    """The map as an image of each kind."""
    from PIL import Image

    for bits in (8, 16):
        samples = np.rint((normals + 1) / 2 * ((1 << bits) - 1)).astype(f"uint{bits}")
        write_image(folder / f"{bits}.png", samples, {})
        write_image(folder / f"{bits}.tif", samples, {})
    alpha = np.full((SIDE, SIDE, 1), 255, np.uint8)
    write_image(folder / "alpha.png", np.concatenate([colours, alpha], axis=-1), {})
    write_image(folder / "float.tif", normals.astype(np.float32), {})
    write_image(folder / "float.exr", normals.astype(np.float32), {})
    for suffix in ("jpg", "webp", "tga", "bmp"):
        Image.fromarray(colours).save(folder / f"8.{suffix}", quality=95)


def make_arrays(folder: Path, normals: np.ndarray) -> None:
    """The map as an array of each kind."""
    import h5py
    from scipy.io import savemat

    np.save(folder / "plain.npy", normals.astype(np.float32))
    np.savez(folder / "stored.npz", normals=normals, mask=np.ones((SIDE, SIDE), bool))
    np.savez_compressed(folder / "packed.npz", normals=normals)
    savemat(folder / "plain.mat", {"Normal_gt": normals})
    savemat(folder / "packed.mat", {"Normal_gt": normals}, do_compression=True)
    with h5py.File(folder / "new.mat", "w") as file:
        file["Normal_gt"] = normals.T


def make_attacks(folder: Path, normals: np.ndarray) -> None:
    """Files that once did harm: each is refused."""
    import h5py

    maps = folder / "maps"
    np.savez(maps / "texts.npz", normals=normals, mask=np.full((SIDE, SIDE), "yes"), about="a map")
    np.savez(maps / "unknown.npz", normals=normals, mask=np.full((SIDE, SIDE), np.nan))
    np.save(maps / "objects.npy", normals.astype(object), allow_pickle=True)
    with zipfile.ZipFile(maps / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(maps / "plain.npy", "normals.npy")
        head = f"{{'descr': '|S4000000', 'fortran_order': False, 'shape': ({SIDE}, {SIDE}), }}".ljust(117) + "\n"
        archive.writestr("mask.npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + bytes(100))
    with h5py.File(maps / "linked.mat", "w") as file:
        file["Normal_gt"] = h5py.ExternalLink(str(maps / "new.mat"), "Normal_gt")
    (folder / "cameras" / "deep.json").write_text('{"fl_x": ' + "[" * 2000 + "]" * 2000 + "}")


def mutate(data: bytes, random_numbers: random.Random) -> bytes:
    """The bytes with some damage of one of several kinds."""
    broken = bytearray(data)
    kind = random_numbers.randrange(8)
    if kind == 0:
        return bytes(broken[: random_numbers.randrange(len(broken))])
    if kind == 1:
        start = random_numbers.randrange(len(broken))
        del broken[start : start + random_numbers.randrange(1, 64)]
    elif kind == 2:
        start = random_numbers.randrange(len(broken))
        broken[start:start] = random_numbers.randbytes(random_numbers.randrange(1, 64))
    elif kind == 3:
        start = random_numbers.randrange(len(broken))
        length = random_numbers.randrange(1, 64)
        broken[start : start + length] = random_numbers.choice([b"\0", b"\xff", b"\x7f"]) * length
    elif kind == 4:
        start = random_numbers.randrange(max(len(broken) - 4, 1))
        broken[start : start + 4] = struct.pack(
            random_numbers.choice("<>") + "I", random_numbers.choice([0, 1, 60000, 2**31 - 1, 2**32 - 1])
        )
    else:
        reach = len(broken) if kind == 5 else min(len(broken), 256)
        for _ in range(random_numbers.randrange(1, 12)):
            broken[random_numbers.randrange(reach)] = random_numbers.randrange(256)
    return repair_png(bytes(broken)) if random_numbers.random() < 0.5 else bytes(broken)


def repair_png(data: bytes) -> bytes:
    """A PNG with right check sums, so that damage gets past them."""
    if not data.startswith(b"\x89PNG"):
        return data
    out, position = io.BytesIO(), 8
    out.write(data[:8])
    while position + 12 <= len(data):
        length = struct.unpack(">I", data[position : position + 4])[0]
        body = data[position + 4 : position + 8 + length]
        out.write(data[position : position + 4] + body + struct.pack(">I", zlib.crc32(body)))
        position += 12 + length
    return out.getvalue()


def read_at_its_door(path: Path, as_mask: bool, frame: str) -> None:
    """Read a file with the reader of its folder; maps can be read as masks, too."""
    door = path.parent.name
    if door == "cameras":
        read_camera(path, SIDE, SIDE)
    elif door == "photos":
        read_photo(path, (SIDE, SIDE), LIMIT)
    elif door == "folder":
        read_folder(path.parent, max_memory=LIMIT)
    elif path.name in ("manifest.jsonl", "batch.json"):
        read_manifest(path.parent)
        read_settings(path.parent)
    elif door == "result":
        assert np.isfinite(read_result(path.parent, LIMIT).depth).any()
    elif as_mask:
        read_mask(path, max_memory=LIMIT)
    else:
        found = read_normals(path, frame=frame, max_memory=LIMIT)
        assert np.isfinite(found.normals).all()
        assert found.mask.any()


def read(path: Path, as_mask: bool = False, frame: str = "auto") -> bool:
    """Read a file in the way its original is meant; whether it was accepted."""
    try:
        read_at_its_door(path, as_mask, frame)
        return True
    except (BadInput, BadOutput) as refusal:
        named = path.parent.name if path.parent.name in ("folder", "result") else path.name
        assert named in str(refusal), f"the refusal does not name the file: {refusal}"
        assert "\n" not in str(refusal), f"the refusal is not one sentence: {refusal!r}"
        return False


def peak_memory() -> int:
    """Most bytes that this process has used."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def main(folder: Path, seed: int, count: int) -> None:
    faulthandler.enable()
    originals = make_originals(folder)
    for path in originals:
        assert read(path) == (path.name not in REFUSED), path
    before = peak_memory()
    random_numbers = random.Random(seed)
    accepted = 0
    contents = {path: path.read_bytes() for path in originals}
    quick = [path for path in originals if path.name not in SLOW]
    slow = [path for path in originals if path.name in SLOW]
    for number in range(count):
        turn = number // SLOW_EVERY
        path = quick[number % len(quick)] if number % SLOW_EVERY else slow[turn % len(slow)]
        path.write_bytes(mutate(contents[path], random_numbers))
        # Seconds of this process: a busy or paused machine is no hang.
        signal.setitimer(signal.ITIMER_PROF, 60)
        try:
            # To find the frame takes longer than all the rest.
            accepted += read(path, random_numbers.random() < 0.3, random_numbers.choice(["auto", *3 * ["opengl"]]))
        except BaseException:
            print(f"seed {seed}, mutation {number} of {path.name}", file=sys.stderr)
            raise
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            path.write_bytes(contents[path])
    grown = peak_memory() - before
    assert grown < LIMIT + SLACK, f"seed {seed}: {grown >> 20} MB were used where {LIMIT >> 20} MB are allowed"
    print(f"{count} mutations, {accepted} still readable")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
