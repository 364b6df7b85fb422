"""Each way to give bad input, with its exit code and the sentence shown."""

import contextlib
import errno
import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from maps import ball, encode, write_folder

import crevasse
from crevasse.cli.main import cli
from crevasse.files.depth_files import write_image

NORMALS, MASK = ball(24)


@pytest.fixture
def here(here):
    write_image(Path("good.png"), encode(NORMALS, 16), {})
    return here


def run(*words):
    """Exit code and the last line of stderr; stdout stays empty when something is wrong."""
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert "Traceback" not in result.stderr
    if result.exit_code not in (0, 5):
        assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    return result.exit_code, lines[-1] if lines else ""


def integrate(*words):
    return run("integrate", "-o", "out", "--method", "poisson", *words)


def refused(code, sentence, *words):
    """The command ends with this code and sentence, and leaves no result."""
    ended, said = integrate(*words)
    assert (ended, said) == (code, f"Error: {sentence}")
    assert not Path("out").exists()


def test_the_undamaged_file_is_read(here):
    assert integrate("good.png")[0] == 0


def test_a_missing_file_is_refused(here):
    refused(3, "nothing.png does not exist", "nothing.png")


def test_an_empty_file_is_refused(here):
    Path("empty.png").touch()
    refused(3, "empty.png is empty (0 bytes); export the map again", "empty.png")


def test_a_truncated_image_is_refused(here):
    data = Path("good.png").read_bytes()
    Path("cut.png").write_bytes(data[: len(data) // 2])
    code, said = integrate("cut.png")
    assert code == 3
    assert said.startswith("Error: cut.png is damaged: ")


def test_a_truncated_array_is_refused(here):
    np.save("map.npy", NORMALS)
    data = Path("map.npy").read_bytes()
    Path("map.npy").write_bytes(data[:-100])
    promised, held = NORMALS.nbytes, NORMALS.nbytes - 100
    refused(
        3,
        f"map.npy is cut short: its header promises {promised} bytes of values but the file has {held}",
        "map.npy",
    )


def test_a_text_file_named_png_is_refused(here):
    Path("letter.png").write_text("Dear Sir or Madam")
    refused(
        3,
        "letter.png is not a PNG, TIFF, EXR, JPEG, WebP, TGA, BMP, NPY, NPZ or MAT file; "
        "convert the map to one of these",
        "letter.png",
    )


def test_one_pixel_is_a_map(here):
    np.save("pixel.npy", np.array([[[0.0, 0.6, 0.8]]]))
    assert integrate("pixel.npy")[0] == 0
    assert np.load("out/depth.npy").shape == (1, 1)


def test_one_pixel_without_a_normal(here):
    write_image(Path("pixel.png"), np.zeros((1, 1, 3), np.uint8), {})
    refused(
        3, "pixel.png holds no normal inside the mask: every pixel is black, white, grey, zero or NaN", "pixel.png"
    )


def test_a_folder_in_place_of_a_file(here):
    Path("folder").mkdir()
    refused(
        3,
        "folder has no normal_map file (.exr, .npy, .npz, .mat, .tif, .tiff, .png ...); name the map normal_map.png",
        "folder",
    )
    refused(3, "folder is a folder; a file is needed here", "good.png", "--mask", "folder")
    refused(3, "folder is a folder; a file is needed here", "good.png", "--camera", "folder")


def test_a_mask_of_another_size(here):
    write_image(Path("mask.png"), np.full((24, 30, 1), 255, np.uint8), {})
    refused(
        3,
        "the mask mask.png has 30 x 24 pixels but the map good.png has 24 x 24; they must agree",
        "good.png",
        "--mask",
        "mask.png",
    )


def test_an_empty_mask_is_refused(here):
    write_image(Path("mask.png"), np.zeros((24, 24, 1), np.uint8), {})
    refused(3, "the mask mask.png is zero everywhere; non-zero pixels are inside", "good.png", "--mask", "mask.png")


@pytest.mark.parametrize("kind", ["noise", "sky"])
def test_a_photograph_is_refused(here, kind):
    random = np.random.default_rng(0)
    if kind == "noise":
        colours = random.integers(0, 256, (40, 40, 3))
    else:
        colours = np.linspace([90, 120, 160], [200, 190, 170], 40)[:, None] + random.normal(0, 12, (40, 40, 3))
    write_image(Path("photo.png"), np.clip(colours, 0, 255).astype(np.uint8), {})
    code, said = integrate("photo.png")
    assert code == 3
    assert "photo.png looks like a colour photograph, not like a normal map" in said


def test_grey_and_boolean_images(here):
    write_image(Path("grey.png"), np.full((9, 9, 1), 7, np.uint8), {})
    refused(3, "grey.png has 1 channel; a normal map has three (x, y, z) or two (x, y)", "grey.png")
    np.save("flags.npy", np.ones((9, 9, 3), bool))
    refused(3, "flags.npy holds only booleans; it looks like a mask, not like normals", "flags.npy")


def png_bomb(side):
    header = struct.pack(">IIBBBBB", side, side, 16, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b"")]
    body = (struct.pack(">I", len(b)) + k + b + struct.pack(">I", zlib.crc32(k + b)) for k, b in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


def test_a_header_bomb_is_refused_before_anything_is_allocated(here):
    Path("bomb.png").write_bytes(png_bomb(60000))
    code, said = integrate("bomb.png", "--max-memory", "4G")
    assert code == 3
    assert said == (
        "Error: bomb.png (60000 x 60000 pixels, 3 channels) needs about 523 GB of memory but only 4 GB may be used; "
        "crop or downsample the map, or pass --max-memory to allow more"
    )


def test_an_array_bomb_is_refused(here):
    with open("bomb.npy", "wb") as stream:
        np.lib.format.write_array_header_1_0(
            stream, {"descr": "<f8", "fortran_order": False, "shape": (60000, 60000, 3)}
        )
    code, said = integrate("bomb.npy")
    assert code == 3
    assert "bomb.npy is cut short: its header promises 86400000000 bytes of values" in said


def test_a_file_whose_decoded_map_exceeds_memory_is_refused(here):
    np.save("map.npy", NORMALS)
    code, said = integrate("map.npy", "--max-memory", "10k")
    assert code == 3
    assert "but only 10 kB may be used" in said


def test_a_packed_bomb_is_refused(here):
    np.savez_compressed("bomb.npz", normals=np.zeros((2000, 2000, 3)))
    assert Path("bomb.npz").stat().st_size < 200_000
    code, said = integrate("bomb.npz", "--max-memory", "100M")
    assert code == 3
    assert "bomb.npz (2000, 2000, 3) needs about" in said


def test_pickled_arrays_are_refused(here):
    array = np.empty((2, 2, 3), object)
    np.save("pickle.npy", array, allow_pickle=True)
    sentence = "holds Python objects, which can run code when loaded; save the plain numbers with numpy.save"
    refused(3, f"pickle.npy {sentence}", "pickle.npy")
    np.savez("pickle.npz", normals=array)
    refused(3, f"pickle.npz {sentence}", "pickle.npz")


def test_several_fitting_arrays_need_a_choice(here):
    np.savez("two.npz", a=NORMALS, b=NORMALS)
    code, said = integrate("two.npz")
    assert code == 3
    assert "two.npz has 2 arrays of shape (H, W, 3) (a " in said
    assert said.endswith("; pass --layer to choose one")
    assert integrate("two.npz", "--layer", "a")[0] == 0


def test_normals_that_face_away_are_refused(here):
    np.save("away.npy", NORMALS * [1, 1, -1] + [0, 0, -1] * ~MASK[..., None])
    code, said = integrate("away.npy")
    assert code == 3
    assert "faces away from the viewer" in said
    assert integrate("away.npy", "--frame", "x,y,-z")[0] == 0


def test_a_name_that_no_file_can_have_is_refused(here):
    code, said = integrate("x" * 300 + ".png")
    assert code == 3
    assert said.endswith("cannot be read: file name too long")


def test_a_broken_camera_file(here):
    Path("K.txt").write_text("1 2 3")
    refused(
        3,
        "K.txt is not a usable camera: a 3 x 3 matrix has 9 numbers, the file has 3",
        "good.png",
        "--camera",
        "K.txt",
    )


@contextlib.contextmanager
def fewer_rights():
    """As someone who is not root; the imports were all made before."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def open_to_all(folder):
    """Let others into a temporary folder."""
    for parent in [folder, *folder.parents[:2]]:
        parent.chmod(parent.stat().st_mode | 0o055)


def test_an_unreadable_file_is_refused(here):
    integrate("good.png", "--overwrite")
    open_to_all(here)
    Path("secret.png").write_bytes(Path("good.png").read_bytes())
    Path("secret.png").chmod(0)
    with fewer_rights():
        assert integrate("secret.png") == (3, "Error: secret.png cannot be read: permission denied")


def test_an_unwritable_folder_is_refused(here):
    integrate("good.png", "--overwrite")
    open_to_all(here)
    Path("good.png").chmod(0o644)
    Path("locked").mkdir(mode=0o555)
    with fewer_rights():
        assert run("integrate", "good.png", "-o", "locked/out") == (
            4,
            "Error: locked/out cannot be written: permission denied; choose another folder with -o",
        )


def test_a_full_disk(here, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, said = integrate("good.png")
    assert (code, said) == (4, "Error: out/depth.npy cannot be written: the disk is full")
    assert not Path("out").exists()


def test_a_file_in_place_of_the_output_folder(here):
    Path("out").touch()
    assert integrate("good.png") == (4, "Error: out is a file; the results need a folder: choose another -o")


def test_results_in_the_way(here):
    assert integrate("good.png")[0] == 0
    before = Path("out/depth.npy").stat().st_mtime_ns
    code, said = integrate("good.png")
    assert code == 2
    assert said.startswith("Error: out already holds depth.npy, ")
    assert said.endswith("; choose another place, or pass --overwrite")
    assert Path("out/depth.npy").stat().st_mtime_ns == before
    assert integrate("good.png", "--overwrite")[0] == 0


def test_results_never_land_in_the_input_folder_unasked(here, monkeypatch):
    write_folder(here / "thing", 24)
    before = sorted(os.listdir("thing"))
    assert run("integrate", "thing", "--method", "poisson")[0] == 0
    assert sorted(os.listdir("thing")) == before
    assert Path("thing-result/depth.npy").exists()
    monkeypatch.chdir(here / "thing")
    code, said = run("integrate", ".", "--method", "poisson")
    assert code == 2
    assert "would land in the input folder" in said


def test_an_interruption_has_its_code_and_leaves_nothing(here, monkeypatch):
    import crevasse.cli.run as steps

    def interrupted(*words, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(steps, "write_outputs", interrupted)
    assert integrate("good.png") == (130, "Error: interrupted")
    assert not Path("out").exists()


def test_a_photograph_is_bounded_and_judged_before_the_run(here, monkeypatch):
    import crevasse.cli.run as run

    def never(*given):
        raise AssertionError("the run has begun")

    monkeypatch.setattr(run, "integrate_map", never)
    write_image(Path("large.png"), np.zeros((3000, 3000, 3), np.uint8), {})
    write_image(Path("wide.png"), np.zeros((10, 90, 3), np.uint8), {})
    np.savez("photo.npz", photo=np.zeros((3000, 3000, 3), np.uint8))
    for name, says in (("large.png", "memory"), ("photo.npz", "memory"), ("wide.png", "same view")):
        code, said = integrate("good.png", "--texture", name, "--max-memory", "300M")
        assert code == 3 and says in said and name in said, said


def test_a_ruler_that_ends_far_outside_is_refused(here):
    code, said = integrate("good.png", "--ruler", "0,0,99999999999999999999,1,3")
    assert code != 0 and "no surface" in said


def test_more_threads_than_any_machine_has_are_as_good_as_many(here):
    assert integrate("good.png", "--threads", 400 * "9")[0] == 0


@pytest.mark.parametrize("trim", [float("nan"), -1.0, "x"])
def test_a_trim_that_is_no_ratio_is_refused(trim):
    result = crevasse.integrate(np.tile([0.0, 0.0, 1.0], (4, 4, 1)))
    with pytest.raises(ValueError, match="trim is"):
        result.mesh(trim=trim)


@pytest.mark.parametrize(
    "words",
    [
        ("--frame", "vulkan"),
        ("--focal", "abc"),
        ("--focal", "1,2,3"),
        ("--center", "5,5"),
        ("--focal", "500", "--fov", "30"),
        ("--max-memory", "much"),
        ("--fov", "200"),
        ("--threads", "0"),
        ("--mesh-format", "dwg"),
        ("--method", "magic"),
        ("--nonsense",),
        ("--iterations", "many"),
        ("--tolerance", "7"),
        ("--iterations", "5"),
        ("--decimate", "inf"),
        ("--decimate", 400 * "9"),
        ("--fov", "5e-324"),
        ("--trim", "nan"),
        ("--iterations", 400 * "9"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_wrong_usage_exits_with_its_own_code(here, words):
    code, said = integrate("good.png", *words)
    assert code == 2
    assert said.startswith("Error: ")
    assert not Path("out").exists()
