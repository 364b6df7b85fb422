"""Pictures: what a reader may conclude from a colour."""

import numpy as np
import pytest

from crevasse import Orthographic, Perspective, pictures
from crevasse.lattice import jumps_across
from crevasse.pictures import colours, errors, maps, relief
from crevasse.pictures.oblique import fit_box, view

ORANGE_OVER_BLUE = np.array([1, 0, -1])


class Drawn:
    """A torn surface made of given corner depths."""

    def __init__(self, corners, camera=None, mask=None):
        self.corners = corners
        self.depth = corners.reshape(corners.shape[0] // 2, 2, -1, 2).mean(axis=(1, 3))
        self.mask = np.ones(self.depth.shape, bool) if mask is None else mask
        self.camera = camera or Orthographic()
        self.jumps = jumps_across(corners)
        self.normals = np.broadcast_to([0.0, 0.0, 1.0], (*self.depth.shape, 3))
        self.islands = self.mask.astype(np.int32)


def step(size, height, shape=(60, 80)):
    """A flat surface with a square of the given size that stands out towards the viewer."""
    depth = np.full(shape, 500.0)
    top, left = (shape[0] - size) // 2, (shape[1] - size) // 2
    depth[top : top + size, left : left + size] -= height
    return Drawn(depth.repeat(2, axis=0).repeat(2, axis=1))


def brightness(picture):
    return picture.astype(float).mean(axis=-1)


@pytest.mark.parametrize("table", [colours.SEQUENTIAL, colours.HEAT])
def test_colour_maps_grow_lighter_in_equal_steps(table):
    linear = np.where(table > 10, ((table / 255 + 0.055) / 1.055) ** 2.4, table / 255 / 12.92)
    cones = np.cbrt(linear @ np.linalg.inv(colours._TO_LINEAR).T)
    lightness = (cones @ np.linalg.inv(colours._TO_CONES).T)[:, 0]
    coarse = np.diff(lightness[::15])
    assert coarse.min() > 0
    assert coarse.max() < 1.35 * coarse.min()


@pytest.mark.parametrize(
    "confusion",
    [
        pytest.param([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]], id="deuteranopia"),
        pytest.param([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]], id="protanopia"),
    ],
)
def test_the_two_signs_of_a_jump_differ_to_colour_blind_eyes(confusion):
    signed = colours.SIGNED.astype(float) @ np.array(confusion).T
    for size in (0.4, 0.7, 1.0):
        minus, plus = signed[round(255 - 255 * size)], signed[round(256 + 255 * size)]
        assert np.linalg.norm(plus - minus) > 60


def test_a_slope_towards_the_light_is_brighter_than_one_away_from_it():
    rows, columns = np.mgrid[:40, :40].astype(float)
    towards = Drawn((columns - rows).repeat(2, 0).repeat(2, 1) * -0.4)
    away = Drawn((columns - rows).repeat(2, 0).repeat(2, 1) * 0.4)
    upper_left = Drawn((columns + rows).repeat(2, 0).repeat(2, 1) * -0.4)
    # Depth that falls to the right and below has its normal towards the upper left.
    assert brightness(pictures.preview(upper_left)).mean() > brightness(pictures.preview(towards)).mean() + 20
    assert abs(brightness(pictures.preview(away)).mean() - brightness(pictures.preview(towards)).mean()) < 15


def test_a_block_casts_its_shadow_to_the_lower_right():
    light = brightness(pictures.preview(step(20, 12)))
    centre, far = (30, 40), light[3, 3]
    below = light[centre[0] + 12, centre[1] + 12]
    above = light[centre[0] - 14, centre[1] - 14]
    assert below < far - 40
    assert above > far - 25


@pytest.mark.parametrize(
    ("camera", "move"),
    [(Orthographic(0.5), lambda d: d + 40.0), (Perspective(900.0, 900.0, 40.0, 30.0), lambda d: d * 3.0)],
)
def test_the_relief_does_not_depend_on_the_gauge(camera, move):
    corners = step(20, 3).corners
    first, second = Drawn(corners, camera), Drawn(move(corners), camera)
    difference = pictures.preview(first).astype(int) - pictures.preview(second)
    assert np.abs(difference).max() <= 1
    assert np.ptp(pictures.preview(first)) > 30


def test_the_relief_is_only_painted_where_there_is_something_and_looks_the_same():
    rows, columns = np.mgrid[:90, :70]
    mask = np.hypot(rows - 30, columns - 40) < 15
    heights = np.where(mask, np.where(columns > 42, 6.0, 0.0) + 0.2 * rows, np.nan)
    slopes = relief.slopes_of(heights, mask)
    sky, sun = relief.openness(heights, mask, *slopes, 90), relief.shadow(heights, mask, 90)
    whole = colours.to_screen(relief.clay(*slopes, sky, sun))
    np.testing.assert_array_equal(relief.paint(heights, mask)[mask], whole[mask])
    assert (relief.paint(heights, mask)[~mask] == colours.PAPER).all()


def test_lines_are_as_wide_as_asked_and_keep_the_strongest_jump():
    signed = np.zeros((9, 9))
    signed[4, 4], signed[4, 5] = 1.0, -3.0
    from scipy import ndimage

    for width in (2, 3, 4):
        high, low = (pick(signed, size=width) for pick in (ndimage.maximum_filter, ndimage.minimum_filter))
        expected = np.where(np.abs(low) > np.abs(high), low, high)
        np.testing.assert_array_equal(maps.thicken(signed, width), expected)


def test_near_is_light_and_equal_limits_give_equal_colours():
    shown, shallow = step(20, 30), step(20, 15)
    picture = pictures.depth(shown, bar=False)
    assert brightness(picture)[30, 40] > brightness(picture)[2, 2] + 80
    one, other = (pictures.depth(s, limits=(450, 520), bar=False) for s in (shown, shallow))
    assert (one[2, 2] == other[2, 2]).all()
    assert (one[30, 40] != other[30, 40]).any()


def test_the_bar_shows_the_colours_of_its_numbers():
    shown = step(20, 30)
    plain, barred = pictures.depth(shown, bar=False), pictures.depth(shown)
    assert (barred[:60, :80] == plain).all()
    bar = barred[:, 80:]
    for value in (plain[30, 40], plain[2, 2]):
        assert (np.abs(bar.astype(int) - value).max(axis=-1) <= 3).any()


def test_jumps_are_orange_where_depth_grows_right_or_down_and_blue_where_it_falls():
    picture = pictures.jumps(step(20, 12), bar=False).astype(int)
    # The lines lie on the block, which is in front.
    left, right, top, bottom = picture[30, 30], picture[30, 49], picture[20, 40], picture[39, 40]
    for falls, grows in ((left, right), (top, bottom)):
        assert falls @ ORANGE_OVER_BLUE < -60
        assert grows @ ORANGE_OVER_BLUE > 60
    assert (picture[30, 40] == picture[5, 5]).all()
    assert picture[5, 5].max() < 60


def test_a_jump_beyond_single_precision_is_drawn():
    drawn = step(30, 1.0)
    drawn.jumps = tuple(part * 1e300 for part in drawn.jumps)
    strongest = maps.strongest_jumps(drawn.jumps)
    assert np.isfinite(strongest).all() and np.abs(strongest).max() > 1e38


def test_a_smooth_surface_has_no_line():
    # Corners of neighbours lie at the same place.
    rows, columns = (np.mgrid[:120, :160] + 1) // 2
    bowl = Drawn(500 + 0.004 * (rows**2 + columns**2))
    assert np.ptp(pictures.jumps(bowl, bar=False).reshape(-1, 3), axis=0).max() == 0


def test_thin_lines_survive_when_a_large_map_is_reduced():
    picture = pictures.jumps(step(200, 12, (600, 800)), bar=False, limit=100).astype(int)
    assert picture.shape == (75, 100, 3)
    rows = np.abs(picture[37] @ ORANGE_OVER_BLUE) > 60
    assert rows.sum() >= 2


def test_strongest_jumps_keep_sign_and_size():
    strongest = maps.strongest_jumps(step(20, 12).jumps)
    assert strongest.max() == 12
    assert strongest.min() == -12
    assert np.count_nonzero(strongest) == 4 * 20 - 4


def test_no_error_is_dark_and_an_error_is_bright_where_it_is():
    shown = step(20, 12)
    truth = shown.depth.copy()
    assert brightness(pictures.error(shown, truth + 7, largest=1.0, bar=False)).max() < 25
    truth[10:14, 10:14] += 1.0
    picture = brightness(pictures.error(shown, truth, largest=1.0, bar=False))
    assert picture[10:14, 10:14].min() > 200
    assert (picture > 200).sum() == 16


def test_a_perspective_error_is_measured_up_to_scale():
    shown = Drawn(step(20, 12).corners, Perspective(900.0, 900.0, 40.0, 30.0))
    assert errors.errors_of(shown, 3 * shown.depth).max() < 1e-9


def test_islands_other_than_the_largest_are_coloured():
    shown = step(20, 12)
    shown.islands = shown.islands.copy()
    shown.islands[20:40, 30:50] = 2
    picture, plain = pictures.islands(shown).astype(int), pictures.preview(shown)
    changed = (picture != plain).any(axis=-1)
    assert (changed == (shown.islands == 2)).all()
    assert np.ptp(picture[30, 40]) > 80


def test_a_cropped_surface_is_the_same_surface_without_its_margin():
    whole = step(20, 12)
    mask = np.zeros(whole.mask.shape, bool)
    mask[15:45, 25:60] = True
    shown = Drawn(whole.corners, Perspective(900.0, 900.0, 40.0, 30.0), mask)
    near = pictures.drawable.Cropped(shown)
    rows, columns = near.window
    for draw in (pictures.depth, pictures.jumps):
        assert (draw(shown, bar=False)[near.window] == draw(near, bar=False)).all()
        assert np.ptp(draw(near, bar=False)) > 100
    given = [shown.camera.points(rows.start, columns.start, 2.0), near.camera.points(0, 0, 2.0)]
    assert given[0] == pytest.approx(given[1])
    assert near.mask.sum() == mask.sum()


def test_normals_take_their_usual_colours():
    vectors = np.zeros((2, 2, 3))
    vectors[0, 0], vectors[0, 1], vectors[1, 0] = [0, 0, 2], [1, 0, 0], [np.nan, 0, 1]
    picture = pictures.normals(vectors)
    assert picture[0, 0].tolist() == [128, 128, 255]
    assert picture[0, 1].tolist() == [255, 128, 128]
    assert picture[1, 0].tolist() == picture[1, 1].tolist() == colours.PAPER.tolist()


@pytest.mark.parametrize("length", [1e300, 1e-3, 1e-200, 5e-324])
def test_normals_of_any_length_have_the_same_colours(length):
    vectors = np.array([[[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [0.0, 0.0, 0.0]]])
    assert np.array_equal(pictures.normals(vectors * length), pictures.normals(vectors))


def test_a_sheet_has_one_scale_for_all_errors():
    good, bad = step(20, 12), step(20, 12)
    bad.depth = bad.depth.copy()
    bad.depth[20:40, 30:50] += 4
    worse = errors.errors_of(bad, good.depth)
    shared = errors.error_limit([worse, worse * 0])
    assert shared == errors.error_limit([worse * 0, worse]) == worse.max()
    alone = pictures.sheet({"bad": bad}, good.depth, size=100)
    both = pictures.sheet({"bad": bad, "good": good}, good.depth, size=100)
    assert both.shape[1] > alone.shape[1]
    brightest = colours.HEAT[-1]
    assert (alone == brightest).all(axis=-1).sum() >= 400
    assert (both == brightest).all(axis=-1).sum() == (alone == brightest).all(axis=-1).sum()


def test_a_smaller_error_is_darker_on_the_shared_scale():
    truth = step(20, 12)
    results = {}
    for title, error in (("bad", 4.0), ("worse", 8.0), ("best", 2.0)):
        results[title] = step(20, 12)
        results[title].depth = truth.depth.copy()
        results[title].depth[20:40, 30:50] += error
    sheet = pictures.sheet(results, truth.depth, size=100)
    # The top of the scale is the error of the middle one; what is above it is as bright, the best is not.
    middle = np.abs(sheet.astype(int) - colours.HEAT[128].astype(int)).max(axis=-1) <= 3
    assert (sheet == colours.HEAT[-1]).all(axis=-1).sum() >= 800
    assert middle.sum() >= 400


def test_foreground_covers_background_in_the_view():
    heights = step(20, 30).depth
    mask = np.ones(heights.shape, bool)
    marked = np.zeros((*mask.shape, 3), np.uint8)
    marked[20:40, 30:50] = [255, 0, 0]
    box = fit_box(heights, mask, (30.0, 0.0))
    picture = view(heights, mask, marked, (30.0, 0.0), 200, box).astype(int)
    alone = view(heights, marked[..., 0] > 0, marked, (30.0, 0.0), 200, box).astype(int)
    red, red_alone = (np.count_nonzero(p[..., 0] - p[..., 1] > 200) for p in (picture, alone))
    assert red == pytest.approx(red_alone, rel=0.06)
    assert red > 100


def test_jumps_do_not_depend_on_the_scale_of_a_perspective_depth():
    camera = Perspective(9000.0, 9000.0, 40.0, 30.0)
    corners = step(20, 12).corners
    once, thrice = (pictures.jumps(Drawn(corners * k, camera), bar=False) for k in (1.0, 3.0))
    assert (once == thrice).all()
    # At this depth a pixel is 500 / 9000 wide: a jump of a tenth of it is not drawn, one of its half is.
    for share, drawn in ((0.1, False), (0.5, True)):
        lines = pictures.jumps(Drawn(step(20, share * 500 / 9000).corners, camera), bar=False)
        assert (np.ptp(lines.reshape(-1, 3), axis=0).max() > 0) == drawn


def test_a_sheet_of_nothing_is_refused():
    with pytest.raises(ValueError, match="results is empty"):
        pictures.sheet({})


def test_the_view_from_the_side_opens_at_a_jump():
    closed, open_ = (pictures.oblique(step(30, height), turn=(50.0, 0.0), size=120) for height in (0.0, 40.0))
    paper = [(picture == colours.PAPER).all(axis=-1) for picture in (closed, open_)]
    row = [line[line.shape[0] // 2] for line in paper]
    inner = [np.flatnonzero(~line) for line in row]
    gaps = [np.count_nonzero(line[ends[0] : ends[-1]]) for line, ends in zip(row, inner, strict=True)]
    assert gaps[0] == 0
    assert gaps[1] > 5


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (1, 500)])
def test_a_surface_of_a_pixel_or_a_row_is_seen_from_the_side(shape):
    drawn = Drawn(np.full((2 * shape[0], 2 * shape[1]), 7.0))
    picture = pictures.oblique(drawn, size=60)
    assert (picture != colours.PAPER).any()


def test_seen_from_the_front_the_view_is_the_relief():
    shown = step(20, 12)
    heights = shown.depth
    front = pictures.oblique(shown, turn=(0.0, 0.0), size=80)
    assert front.shape[1] == 80
    middle = front[front.shape[0] // 2, 40].astype(int)
    assert np.abs(middle - relief.paint(heights, shown.mask)[30, 40]).max() < 12


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.2, 17.0), (812.3, 813.1), (0.0, 3e-5)])
def test_ticks_are_round_numbers_between_the_limits(low, high):
    ticks = np.array(pictures.canvas.round_ticks(low, high))
    assert 3 <= len(ticks) <= 7
    assert ticks.min() >= low - 1e-12
    assert ticks.max() <= high + 1e-12
    assert np.ptp(np.diff(ticks)) < 1e-9 * (high - low)


def test_a_picture_file_gives_back_the_picture():
    import io

    from PIL import Image

    picture = pictures.preview(step(20, 12))
    assert (np.asarray(Image.open(io.BytesIO(pictures.to_png(picture)))) == picture).all()


def test_the_depth_palette_has_no_rings_of_its_own():
    screen = colours.SEQUENTIAL / 255
    linear = np.where(screen <= 0.04045, screen / 12.92, ((screen + 0.055) / 1.055) ** 2.4)
    lab = np.cbrt(linear @ np.linalg.inv(colours._TO_LINEAR).T) @ np.linalg.inv(colours._TO_CONES).T
    steps = np.linalg.norm(lab[8:] - lab[:-8], axis=1)
    assert steps.max() / steps.min() < 1.4, "equal steps of depth look alike"


def test_jumps_beyond_single_precision_are_drawn():
    signed = np.zeros((8, 8), np.float32)
    picture = pictures.maps.draw_jumps(signed, np.ones((8, 8), bool), 1e39, 4e39)
    assert (picture == picture[0, 0]).all()
