"""What the normals of two neighbouring pixels say about a jump between them."""

from __future__ import annotations

import math
from typing import NamedTuple

from crevasse.native import GraduatedEngine as Engine


class Evidence(NamedTuple):
    """Which turns count as creases, and how much a jump needs a crease and the right sign."""

    angle: float
    """Turn in degrees that counts as a crease."""
    along: float
    """Weight of the turn along the pair, beside that across it."""
    grazing: int
    """Exponent of how much the foreground recedes, for turns along the pair; 0 for none."""
    against: float = 0.25
    """Least factor of a jump whose foreground rises towards its edge."""
    level: float = 0.25
    """Least factor of a jump where the normals do not turn."""
    valley: float = 0.0
    """Share that a jump loses where both sides recede: most valleys are contacts."""


STARTS = (Evidence(3.0, 0.0, 2), Evidence(3.0, 0.0, 0), Evidence(5.0, 1.0, 0))
"""The evidence of each start. The first two are the ones that least often agree on a wrong surface."""
POLISH = Evidence(3.0, 1.0, 0)
"""The evidence that ends every start: lenient, so that noise at contours does not hold what should jump."""
JUDGE = Evidence(3.0, 1.0, 0, against=0.05, level=0.15, valley=0.6)
"""The evidence by which surfaces are compared: strict, since a wrong surface needs many unlikely jumps."""


def consider(engine: Engine, evidence: Evidence, keep: bool = True) -> None:
    """From here on the engine weighs jumps by this evidence; without `keep` its heights become 0."""
    if not keep:
        engine.clear()
    engine.set_evidence(math.radians(evidence.angle), *evidence[1:])
