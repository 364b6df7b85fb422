"""How sure a result is: the standard deviation of its depth, and what it means in words."""

from crevasse.uncertainty.estimation import ASSUMED_ERROR, Parts, Uncertainty, assess, estimate

__all__ = ["ASSUMED_ERROR", "Parts", "Uncertainty", "assess", "estimate"]
