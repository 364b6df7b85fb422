"""Every format gives the normals that were put into it."""

import subprocess
import sys

import numpy as np
import OpenImageIO as oiio
import pytest
from maps import ball, encode, write_folder

import crevasse
from crevasse.files import BadInput, read_mask, read_normals
from crevasse.files.decode import decode
from crevasse.files.depth_files import write_image
from crevasse.files.frames import Frame
from crevasse.files.pixels import Pixels

NORMALS, MASK = ball(40)


def assert_same_normals(found, within, mask=MASK):
    np.testing.assert_array_equal(found.mask, mask)
    assert np.abs(found.normals - NORMALS * mask[..., None])[mask].max() < within
    assert not found.normals[~mask].any()


@pytest.mark.parametrize(("bits", "within"), [(8, 0.006), (16, 3e-5)])
@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_integer_images(tmp_path, bits, within, suffix):
    path = tmp_path / f"map.{suffix}"
    write_image(path, np.where(MASK[..., None], encode(NORMALS, bits), 0), {})
    found = read_normals(path)
    assert_same_normals(found, within)
    assert found.bits == bits


def test_decoding_leaves_the_samples_alone():
    values = 7.5 * NORMALS
    decoded = decode(Pixels(values, 64, "npy"), False, "map")
    np.testing.assert_array_equal(values, 7.5 * NORMALS)
    np.testing.assert_allclose(decoded.vectors, NORMALS, atol=1e-12)


@pytest.mark.parametrize("suffix", ["tif", "exr"])
def test_float_images_hold_plain_values_of_any_length(tmp_path, suffix):
    write_image(tmp_path / f"map.{suffix}", (7.5 * NORMALS).astype(np.float32), {})
    assert_same_normals(read_normals(tmp_path / f"map.{suffix}"), 1e-6)


def test_float_colours_are_decoded_and_reported(tmp_path):
    write_image(tmp_path / "map.exr", np.where(MASK[..., None], (NORMALS + 1) / 2, 0).astype(np.float32), {})
    found = read_normals(tmp_path / "map.exr")
    assert_same_normals(found, 1e-6)
    assert any("(n + 1) / 2" in warning for warning in found.warnings)


def test_blender_layers_are_found_by_name(tmp_path):
    names = ["Image.R", "Image.G", "Image.B", "Layer.Normal.X", "Layer.Normal.Y", "Layer.Normal.Z", "Depth.V"]
    spec = oiio.ImageSpec(40, 40, len(names), "float")
    spec.channelnames = tuple(names)
    samples = np.concatenate([np.full((40, 40, 3), 0.5), NORMALS, np.ones((40, 40, 1))], axis=-1)
    output = oiio.ImageOutput.create(str(tmp_path / "render.exr"))
    output.open(str(tmp_path / "render.exr"), spec)
    output.write_image(samples.astype(np.float32))
    output.close()
    assert_same_normals(read_normals(tmp_path / "render.exr"), 1e-6)
    with pytest.raises(BadInput, match=r"no layer 'Bump'; its layers are: Image, Layer\.Normal"):
        read_normals(tmp_path / "render.exr", layer="Bump")


@pytest.mark.parametrize("kind", ["npy", "npz", "mat", "packed", "mat73", "first"])
def test_array_files_are_read(tmp_path, kind):
    from scipy.io import savemat

    path = tmp_path / f"map.{kind[:3]}"
    if kind == "npz":
        np.savez(path, normals=NORMALS, other=np.ones((40, 40, 3)), mask=MASK)
    elif kind in ("mat", "packed"):
        savemat(path, {"Normal_gt": NORMALS, "x": 3.0}, do_compression=kind == "packed")
    elif kind == "mat73":
        h5py = pytest.importorskip("h5py")
        with h5py.File(path, "w") as file:
            file["Normal_gt"] = NORMALS.T
    else:
        with open(path, "wb") as stream:
            np.save(stream, np.moveaxis(NORMALS, 2, 0) if kind == "first" else NORMALS)
    assert_same_normals(read_normals(path), 1e-12)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "float32", "float64", "bool"])
@pytest.mark.parametrize("packed", [False, True])
def test_mat_reader_agrees_with_scipy(tmp_path, dtype, packed):
    from scipy.io import savemat

    from crevasse.files.mat5 import list_variables, read_variable

    array = np.arange(60).reshape(3, 4, 5).astype(dtype)
    savemat(tmp_path / "a.mat", {"a": array, "text": "abc", "cell": {"b": 1}}, do_compression=packed)
    variables = list_variables((tmp_path / "a.mat").read_bytes())
    assert set(variables) == {"a"}
    read = read_variable(variables["a"])
    np.testing.assert_array_equal(read, array)


def test_two_channels_get_their_z_back(tmp_path):
    np.save(tmp_path / "map.npy", NORMALS[..., :2])
    inside = np.hypot(NORMALS[..., 0], NORMALS[..., 1]) > 0
    found = read_normals(tmp_path / "map.npy")
    assert np.abs(found.normals - NORMALS)[MASK & inside].max() < 1e-6


def test_an_empty_blue_channel_is_rebuilt(tmp_path):
    tame = NORMALS * MASK[..., None] + [0, 0, 1] * ~MASK[..., None]
    colours = encode(tame, 16)
    colours[..., 2] = 0
    write_image(tmp_path / "map.png", colours, {})
    found = read_normals(tmp_path / "map.png")
    gentle = tame[..., 2] > 0.3
    assert np.abs(found.normals - tame)[gentle].max() < 2e-4
    assert any("blue" in warning for warning in found.warnings)


def test_alpha_is_the_mask_and_does_not_dim_the_normals(tmp_path):
    alpha = np.where(MASK, 65535, 0).astype(np.uint16)
    full = NORMALS + [0, 0, 1] * ~MASK[..., None]
    write_image(tmp_path / "map.png", np.concatenate([encode(full, 16), alpha[..., None]], axis=-1), {})
    assert_same_normals(read_normals(tmp_path / "map.png"), 3e-5)


def test_slopes_rise_towards_the_viewer_to_the_right_and_upwards(tmp_path):
    p, q = 0.5, -0.25
    np.save(tmp_path / "slopes.npy", np.broadcast_to([p, q], (20, 30, 2)))
    found = read_normals(tmp_path / "slopes.npy", slopes=True)
    depth = crevasse.integrate(found.normals, method=crevasse.Poisson()).depth
    np.testing.assert_allclose(np.diff(depth, axis=1), -p, atol=1e-6)
    np.testing.assert_allclose(np.diff(depth, axis=0), q, atol=1e-6)


def test_slopes_in_integers_are_refused(tmp_path):
    write_image(tmp_path / "map.png", encode(NORMALS, 8), {})
    with pytest.raises(BadInput, match="need a float file"):
        read_normals(tmp_path / "map.png", slopes=True)


def test_the_srgb_curve_can_be_undone(tmp_path):
    linear = (NORMALS + 1) / 2
    curved = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    write_image(tmp_path / "map.png", np.rint(curved * 65535).astype(np.uint16) * MASK[..., None], {})
    assert_same_normals(read_normals(tmp_path / "map.png", srgb=True), 1e-4)


@pytest.mark.parametrize("name", ["opengl", "directx", "opencv", "-x,y,z", "y,x,z", "-y,x,-z", "z,x,y"])
def test_frames_are_turned_into_opengl(tmp_path, name):
    frame = Frame.parse(name)
    stored = np.empty_like(NORMALS)
    for along, (component, sign) in enumerate(zip(frame.order, frame.signs, strict=True)):
        stored[..., component] = sign * NORMALS[..., along]
    np.save(tmp_path / "map.npy", stored)
    found = read_normals(tmp_path / "map.npy", frame=name)
    np.testing.assert_allclose(found.normals, NORMALS, atol=1e-12)
    assert found.frame == name


@pytest.mark.parametrize("text", ["", "vulkan", "x,x,z", "x,y", "+-x,y,z"])
def test_an_invalid_frame_is_refused(text):
    with pytest.raises(ValueError, match="is not a frame"):
        Frame.parse(text)


def test_background_colours_are_outside(tmp_path):
    colours = encode(NORMALS, 8)
    for number, colour in enumerate([(0, 0, 0), (255, 255, 255), (128, 128, 128)]):
        colours[~MASK] = colour
        path = tmp_path / f"{number}.png"
        write_image(path, colours, {})
        np.testing.assert_array_equal(read_normals(path).mask, MASK)


@pytest.mark.parametrize("suffix", ["png", "tif", "npy", "exr"])
def test_masks_from_any_format(tmp_path, suffix):
    path = tmp_path / f"mask.{suffix}"
    if suffix == "npy":
        np.save(path, MASK)
    else:
        dtype = np.float32 if suffix == "exr" else np.uint8
        write_image(path, (MASK[..., None] * 3).astype(dtype), {})
    np.testing.assert_array_equal(read_mask(path), MASK)


def test_folder_brings_mask_camera_and_truth(tmp_path):
    matrix = [[800, 0, 20.5], [0, 810, 19.5], [0, 0, 1]]
    write_folder(tmp_path / "thing", 40, camera=matrix, truth=True)
    found = crevasse.read_folder(tmp_path / "thing")
    assert found.name == "thing"
    assert found.camera == crevasse.Perspective(800, 810, 20.5, 19.5)
    np.testing.assert_array_equal(np.isfinite(found.depth), MASK)
    assert_same_normals(found, 3e-5)


def test_explicit_arguments_replace_the_files_of_the_folder(tmp_path):
    write_folder(tmp_path / "thing", 40, camera=np.diag([800.0, 800.0, 1.0]))
    np.save(tmp_path / "half.npy", np.arange(40)[None] < np.full((40, 1), 20))
    found = crevasse.read_folder(
        tmp_path / "thing", mask=tmp_path / "half.npy", camera=crevasse.Orthographic(pixel_size=2.0)
    )
    assert found.camera == crevasse.Orthographic(2.0)
    np.testing.assert_array_equal(found.mask, MASK & (np.arange(40) < 20))


def test_a_file_is_read_by_its_content_not_by_its_name(tmp_path):
    write_image(tmp_path / "map.png", encode(NORMALS + [0, 0, 1] * ~MASK[..., None], 16), {})
    for name in ("map.exr", "map.npy", "map.mat", "map.jpg"):
        (tmp_path / name).write_bytes((tmp_path / "map.png").read_bytes())
        found = read_normals(tmp_path / name, mask=None)
        assert found.pixels.kind == "png"
        assert np.abs(found.normals - NORMALS)[MASK].max() < 3e-5


def test_reading_does_not_load_the_image_library_for_arrays(tmp_path):
    np.save(tmp_path / "map.npy", NORMALS)
    code = "import crevasse, sys; crevasse.read_normals(sys.argv[1]); print('OpenImageIO' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "map.npy")], capture_output=True, text=True
        ).stdout.strip()
        == "False"
    )


def test_the_repr_of_a_map_fits_a_line(tmp_path):
    np.save(tmp_path / "flat.npy", np.broadcast_to([0.0, 0.0, 1.0], (4, 6, 3)))
    found = crevasse.read_normals(tmp_path / "flat.npy")
    assert repr(found) == "NormalMap('flat', 4 x 6, 24 pixels, Orthographic, opengl)"
