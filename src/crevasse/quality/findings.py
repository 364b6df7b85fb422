"""What a report finds, with what to do about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from crevasse.notices import Wording
from crevasse.quality.advice import NOTHING, Advice
from crevasse.quality.measures import SIZES, Angles, Bend, Curl, JumpSizes
from crevasse.result import Integration
from crevasse.uncertainty import Uncertainty
from crevasse.uncertainty.reliability import MANY, length, percent

GOOD, LOOK = "good", "look"
"""States: nothing to do, worth a look."""
OPEN = 0.02
"""Share of open loops left between jumps from which the normals fit no surface."""
ANGLE = 2.0
"""Degrees between the surface and its normals, at the median pixel, from which it does not follow them."""
NOISY, SMOOTH = 0.02, 0.0
"""Errors of normals in radians from which they are worth a look."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes
    ----------
    name, title : key in the data, and heading
    words : what was found
    do : what to do about it; empty if nothing
    state : `GOOD` or `LOOK`
    numbers : the same as data
    """

    name: str
    title: str
    words: str
    do: Advice = NOTHING
    state: str = GOOD
    numbers: dict[str, Any] = field(default_factory=dict)

    def to_dict(self, wording: Wording) -> dict[str, Any]:
        """As JSON can hold it."""
        do = self.do.worded(wording)
        return {"title": self.title, "state": self.state, "words": self.words, "do": do, **self.numbers}


def find_noise(result: Integration) -> Finding:
    """How the normals err."""
    noise = result.noise
    if noise is None:
        return Finding("noise", "Noise", f"{type(result.method).__name__} does not measure it.")
    numbers = noise._asdict()
    if noise.smooth > SMOOTH:
        do = Advice("Check the lights, mask shadows and highlights, or take more photographs.")
        return Finding("noise", "Noise", f"The normals err by {noise}.", do, LOOK, numbers)
    if noise.white > NOISY:
        do = Advice("Shapes average it out, but jumps of a few pixels may be lost: take more photographs.")
        return Finding("noise", "Noise", f"The normals err by {noise}.", do, LOOK, numbers)
    return Finding("noise", "Noise", f"The normals err by {noise}.", numbers=numbers)


def find_curl(curl: Curl) -> Finding:
    """Whether the normals fit a surface."""
    words = (
        f"Around {percent(curl.before)} of all groups of four pixels the slopes do not add up to zero, as they must"
        " on a"
        f" surface; away from the jumps that were found, around {percent(curl.after)}."
    )
    if curl.after > OPEN:
        do = Advice(
            "The normals contradict each other: check the frame (is y up?), the scale of z, and sRGB ({}).",
            ("frame",),
        )
        return Finding("curl", "Curl", words, do, LOOK, curl._asdict())
    return Finding("curl", "Curl", words, numbers=curl._asdict())


def find_angles(angles: Angles) -> Finding:
    """Whether the surface follows its normals."""
    words = (
        f"The surface has the given normals to within {angles.middle:.2g} degrees at half of the pixels, and to"
        f" within {angles.wide:.2g} degrees at nine tenths."
    )
    numbers = {"median": angles.middle, "ninetieth": angles.wide}
    if angles.middle > ANGLE:
        do = Advice("No surface has these normals: see noise and curl.")
        return Finding("angle", "Fit to the normals", words, do, LOOK, numbers)
    return Finding("angle", "Fit to the normals", words, numbers=numbers)


def find_jumps(jumps: JumpSizes) -> Finding:
    """The jumps by size."""
    numbers = {"pairs": list(jumps.counts), "limits": list(SIZES), **jumps._asdict()}
    del numbers["counts"]
    total = sum(jumps.counts)
    if not total:
        return Finding("jumps", "Jumps", "The surface has none.", numbers=numbers)
    words = f"{total:,} pairs of neighbours ({percent(jumps.share)}) are separated, by up to {jumps.tallest:.3g} px."
    if jumps.unturned > 0.2:
        words += f" At {percent(jumps.unturned)} of them the normals hardly turn."
        do = Advice("Look at the picture of the jumps. Close false ones with strokes that join ({}).", ("hints",))
        return Finding("jumps", "Jumps", words, do, LOOK, numbers)
    return Finding("jumps", "Jumps", words, numbers=numbers)


def find_islands(result: Integration, unplaced: float) -> Finding:
    """Parts whose distance is not in the normals."""
    count = result.island_count
    numbers = {"regions": result.regions, "islands": count, "share": unplaced}
    regions = "one region" if result.regions == 1 else f"{result.regions:,} separate regions, each with its own gauge"
    if not count:
        return Finding("islands", "Islands", f"None: the surface consists of {regions}.", numbers=numbers)
    behind = getattr(result.method, "behind", 0.0)
    where = f"set {behind:g} px behind what occludes them" if behind else "put in contact with a neighbour"
    parts, they = ("part is", "It was") if count == 1 else ("parts are", "They were")
    words = f"{count} {parts} cut off on all sides ({percent(unplaced)} of the pixels). {they} {where}: a guess."
    do = Advice("Join them where you know that they touch ({}), or set them back ({}).", ("hints", "behind"))
    return Finding("islands", "Islands", words, do, LOOK, numbers)


def find_sigma(result: Integration, found: Uncertainty) -> Finding:
    """How sure the depth is."""
    rating = found.rating
    numbers = {**rating._asdict(), "normal_error": found.normal_error, "assumed": found.assumed}
    doubtful = rating.doubtful + rating.unplaced > MANY
    do = Advice("Measure only where the picture of sigma is dark.") if doubtful else NOTHING
    return Finding("sigma", "How sure the depth is", found.words, do, LOOK if doubtful else GOOD, numbers)


def find_bend(result: Integration, bend: Bend) -> Finding:
    """The shape as a whole."""
    words = (
        f"As a whole the surface is tilted by {bend.tilt:.2g} degrees and bent by {bend.sag:.3g} px over its width;"
        " its"
        f" relief is {length(result, bend.relief * result.footprint)}."
    )
    return Finding("shape", "Overall shape", words, numbers=bend._asdict())
