"""Mutates real files and reads them: run by test_fuzz.py in a process of its own, so that a crash is seen."""

import faulthandler
import io
import random
import signal
import struct
import sys
import zlib
from pathlib import Path

import numpy as np

from crevasse.files import BadInput, read_camera, read_mask, read_normals
from crevasse.files.depth_files import write_image

LIMIT = 64 << 20
SLACK = 96 << 20
"""Bytes that the libraries may keep for themselves."""
SIDE = 20


def make_originals(folder: Path) -> list[Path]:
    """A small good file of each kind."""
    v, u = (np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2) / SIDE
    normals = np.stack([u, -v, np.sqrt(1 - u * u - v * v)], axis=-1)
    for bits in (8, 16):
        samples = np.rint((normals + 1) / 2 * ((1 << bits) - 1)).astype(f"uint{bits}")
        write_image(folder / f"{bits}.png", samples, {})
        write_image(folder / f"{bits}.tif", samples, {})
    alpha = np.full((SIDE, SIDE, 1), 255, np.uint8)
    colours = np.rint((normals + 1) / 2 * 255).astype(np.uint8)
    write_image(folder / "alpha.png", np.concatenate([colours, alpha], axis=-1), {})
    write_image(folder / "float.tif", normals.astype(np.float32), {})
    write_image(folder / "float.exr", normals.astype(np.float32), {})
    np.save(folder / "plain.npy", normals.astype(np.float32))
    np.savez(folder / "stored.npz", normals=normals, mask=np.ones((SIDE, SIDE), bool))
    np.savez_compressed(folder / "packed.npz", normals=normals)
    from scipy.io import savemat

    savemat(folder / "plain.mat", {"Normal_gt": normals})
    savemat(folder / "packed.mat", {"Normal_gt": normals}, do_compression=True)
    import h5py

    with h5py.File(folder / "new.mat", "w") as file:
        file["Normal_gt"] = normals.T
    np.savez(folder / "texts.npz", normals=normals, mask=np.full((SIDE, SIDE), "yes"), about="a map")
    (folder / "K.txt").write_text("500 0 9.5\n0 500 9.5\n0 0 1\n")
    (folder / "cameras.txt").write_text("# comment\n1 PINHOLE 20 20 500 500 10 10\n")
    (folder / "transforms.json").write_text('{"fl_x": 500.0, "cx": 10, "cy": 10, "w": 20, "h": 20}')
    return sorted(folder.iterdir())


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


def read(path: Path) -> bool:
    """Read a file in the way its original is meant; whether it was accepted."""
    try:
        if path.suffix in (".txt", ".json"):
            read_camera(path, SIDE, SIDE)
        else:
            found = read_normals(path, max_memory=LIMIT)
            assert np.isfinite(found.normals).all()
            assert found.mask.any()
            read_mask(path, max_memory=LIMIT)
        return True
    except BadInput as refusal:
        assert str(path.name) in str(refusal), f"the refusal does not name the file: {refusal}"
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
        assert read(path) == (path.name != "texts.npz"), path
    before = peak_memory()
    random_numbers = random.Random(seed)
    accepted = 0
    # Version 7.3 is read in a process of its own, which takes its time: fewer of those.
    quick = [path for path in originals if path.name != "new.mat"]
    for number in range(count):
        original = quick[number % len(quick)] if number % 100 else folder / "new.mat"
        broken = folder / f"broken{original.suffix}"
        broken.write_bytes(mutate(original.read_bytes(), random_numbers))
        signal.alarm(60)
        try:
            accepted += read(broken)
        except BaseException:
            print(f"seed {seed}, mutation {number} of {original.name}", file=sys.stderr)
            raise
        finally:
            signal.alarm(0)
    grown = peak_memory() - before
    assert grown < LIMIT + SLACK, f"seed {seed}: {grown >> 20} MB were used where {LIMIT >> 20} MB are allowed"
    print(f"{count} mutations, {accepted} still readable")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
