"""Random maps on which the plain twins of the default method are compared with its kernels."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import ndimage

from crevasse.cameras import Slopes
from crevasse.lattice import label_regions
from crevasse.methods.graduated.evidence import Evidence
from crevasse.twins.graduated.evidence import judge_pairs
from crevasse.twins.graduated.pairs import corner_offsets, make_pairs
from crevasse.twins.graduated.planes import make_planes

SEEDS = range(16)
EDGE = 14
"""Column at which the second of two slabs begins."""


@dataclass(frozen=True)
class Map:
    """What an engine is given, and heights to start from."""

    slopes: Slopes
    mask: np.ndarray
    labels: np.ndarray
    noise: np.ndarray
    """Per region, from 1."""
    hints: np.ndarray | None
    curvature: float
    heights: np.ndarray

    @property
    def pixel_noise(self):
        return self.noise[self.labels]

    @property
    def planes(self):
        return make_planes(self.slopes, self.mask, self.pixel_noise)

    @property
    def pairs(self):
        return make_pairs(self.planes, corner_offsets(self.planes, self.curvature), self.hints)

    def judge(self, evidence):
        return judge_pairs(self.planes, self.pairs, self.pixel_noise, evidence)

    def with_heights(self, heights):
        return replace(self, heights=heights)


def random_map(seed, shape=None):
    """A rough surface with jumps, holes, several regions, grazing pixels, and by turns noise, hints and a pinhole."""
    rng = np.random.default_rng(seed)
    shape = shape or tuple(int(side) for side in rng.integers(6, 40, 2))
    mask = random_mask(rng, shape)
    labels, count = label_regions(mask)
    smooth = 12 * ndimage.gaussian_filter(rng.normal(size=shape), 2.5)
    down, right = np.gradient(smooth)
    # Steep pixels, creases that nothing else shows, and parts that lie in wrong places.
    steep = np.where(rng.random(shape) < 0.04, 30.0, 1.0)
    right, down = right * steep + rng.normal(0, 0.02, shape), down * steep + rng.normal(0, 0.02, shape)
    blobs = ndimage.gaussian_filter(rng.normal(size=(2, *shape)), (0, 3, 3)) > 0.04
    heights = smooth + 7.0 * blobs[0] - 4.0 * blobs[1] + rng.normal(0, 0.01, shape)
    cosine = mask / np.sqrt(1 + right**2 + down**2)
    noise = rng.choice([0.0005, 0.004, 0.03, 0.1], count + 1)
    hints = (
        rng.choice(np.array([0, 1, 2, 3, -1], np.int8), shape, p=(0.6, 0.05, 0.1, 0.1, 0.15))
        if seed % 3 == 2
        else None
    )
    return Map(
        Slopes(cosine, cosine * right, cosine * down),
        mask,
        labels,
        noise,
        hints if seed % 3 == 2 else None,
        0.0 if seed % 2 else 1 / 60,
        np.where(mask, heights, 0.0),
    )


def random_mask(rng, shape):
    """Blobs and single holes; never empty."""
    mask = ndimage.gaussian_filter(rng.normal(size=shape), 3) > -0.03
    mask &= rng.random(shape) > 0.03
    mask[shape[0] // 2, :2] = True
    return mask


def random_evidence(seed):
    """Evidence with all its rules in use."""
    rng = np.random.default_rng(seed)
    against, level, valley = rng.uniform(0, 0.9, 3)
    return Evidence(rng.uniform(1, 10), rng.uniform(0, 1.5), int(rng.integers(0, 4)), against, level, valley)


def two_slabs(seed):
    """Two rigid slabs that meet along 160 contacts at column EDGE, whose gaps are of all sizes and of some often."""
    rng = np.random.default_rng(seed)
    length = 160
    # Ramps between terraces: on each terrace, many contacts close at once.
    slope = np.repeat(rng.uniform(-0.6, 0.6, 16) * (np.arange(16) % 2), length // 16)
    gaps = np.append(0.0, np.cumsum((slope[1:] + slope[:-1]) / 2))
    gaps -= gaps[length // 3]
    right, down, heights = np.zeros((3, length, 24))
    right[:, EDGE - 1] = 1.0
    down[:, EDGE:] = slope[:, None]
    heights[:, EDGE - 1] = 0.5
    heights[:, EDGE:] = 1.0 + gaps[:, None]
    heights += rng.normal(0, 0.01, heights.shape)
    cosine = 1 / np.sqrt(1 + right**2 + down**2)
    everywhere = np.ones(heights.shape, bool)
    slopes = Slopes(cosine, cosine * right, cosine * down)
    return Map(slopes, everywhere, everywhere.astype(np.int32), np.full(2, 0.005), None, 0.0, heights)
