"""The default method: rigid quadrilaterals, graduated reweighting, jumps signed by occlusion.

`method` holds the settings and the main loop: stages propose heights, one judge accepts them region by region.
"""

from crevasse.methods.graduated.method import Graduated

__all__ = ["Graduated"]
