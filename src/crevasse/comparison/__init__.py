"""Several methods on several maps: errors, tables, sheets."""

from crevasse.comparison.api import compare
from crevasse.comparison.table import Comparison

__all__ = ["Comparison", "compare"]
