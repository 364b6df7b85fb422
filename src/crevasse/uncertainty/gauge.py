"""The gauge that sigma is relative to: each region's largest part; islands have none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.lattice import label_regions
from crevasse.result import Integration

Owners = NDArray[np.int32]
"""(H, W): the region whose gauge a pixel has, from 1; 0 outside and on islands."""


def gauge_owners(result: Integration) -> Owners:
    """The region of each pixel that is not on an island."""
    labels, count = label_regions(result.mask)
    islands = result.islands
    # The largest island of a region is its reference; islands are numbered by size.
    first = np.full(count + 1, np.iinfo(np.int32).max, np.int32)
    np.minimum.at(first, labels[result.mask], islands[result.mask])
    return np.where(result.mask & (islands == first[labels]), labels, 0).astype(np.int32)


def offset_free(heights: Array, owners: Owners) -> Array:
    """Heights without the median of their owner, and 0 where there is none."""
    inside = owners > 0
    values, numbers = heights[inside], owners[inside]
    order = np.lexsort((values, numbers))
    found, first, counts = np.unique(numbers[order], return_index=True, return_counts=True)
    middle = values[order]
    medians = np.zeros(int(owners.max(initial=0)) + 1)
    medians[found] = (middle[first + (counts - 1) // 2] + middle[first + counts // 2]) / 2
    level = np.zeros(heights.shape)
    level[inside] = values - medians[numbers]
    return level


def depth_per_height(result: Integration) -> Array:
    """How depth changes with the heights that methods solve for, (H, W): the footprint of a pixel at its depth."""
    unit = result.camera.footprint(1.0)
    return np.where(result.mask, unit * (result.depth if result.camera.gauge == "scale" else 1.0), 1.0)
