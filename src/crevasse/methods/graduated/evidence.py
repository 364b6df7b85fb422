"""What the normals of two neighbouring pixels say about a jump between them."""

from __future__ import annotations

from typing import NamedTuple


class Evidence(NamedTuple):
    """Which turns count as creases, and how much a jump needs a crease and the sign of an occlusion."""

    angle: float
    """Turn in degrees that counts as a crease."""
    along: float
    """Weight of the turn along the pair, relative to that across it."""
    grazing: int
    """Exponent of how much the foreground recedes, for turns along the pair; 0 disables the term."""
    against: float = 0.25
    """Least factor of a jump whose foreground rises towards its edge, against the rule of occlusion."""
    level: float = 0.25
    """Least factor of a jump where the normals do not turn."""
    valley: float = 0.0
    """Share that a jump loses where both sides recede: most valleys are contacts."""


STARTS = (Evidence(3.0, 0.0, 2), Evidence(3.0, 0.0, 0), Evidence(5.0, 1.0, 0))
"""Evidence of each start. The first two are those that least often agree on a wrong surface."""
POLISH = Evidence(3.0, 1.0, 0)
"""Evidence of every polish: lenient, so that noise at contours does not hold closed what should jump."""
JUDGE = Evidence(3.0, 1.0, 0, against=0.05, level=0.15, valley=0.6)
"""Evidence by which surfaces are compared: strict, since a wrong surface needs many unlikely jumps."""
