"""Evidence: which jumps the normals of two neighbours make likely."""

import numpy as np
import pytest
from helpers import make_engine, problem_with

from crevasse.methods.graduated.evidence import JUDGE, Evidence


def doubts_between(first: float, second: float, evidence: Evidence) -> tuple[float, float]:
    """How likely a jump is between two pixels with these slopes to the right: the first one in front, the second."""
    slopes = np.tile([first, second], (2, 1))
    engine = make_engine(problem_with(slopes, np.zeros((2, 2)), np.ones((2, 2), bool)))
    (ahead, _), (behind, _) = engine.doubts(evidence)
    return float(ahead[0, 0]), float(behind[0, 0])


def test_the_judge_expects_jumps_behind_what_recedes() -> None:
    ahead, behind = doubts_between(3.0, 0.0, JUDGE)
    assert ahead > 0.8
    assert behind < ahead / 2
    assert doubts_between(0.0, -3.0, JUDGE) == pytest.approx((behind, ahead))


def test_the_judge_takes_valleys_for_contacts() -> None:
    contour, _ = doubts_between(1.0, 0.0, JUDGE)
    valley, _ = doubts_between(1.0, -1.0, JUDGE)
    ridge, _ = doubts_between(-1.0, 1.0, JUDGE)
    assert valley < 0.7 * contour
    assert ridge < valley
    assert doubts_between(1.0, -1.0, JUDGE._replace(valley=0.0))[0] > 0.9 * contour


def test_a_jump_is_least_likely_where_normals_do_not_turn() -> None:
    level, _ = doubts_between(1.0, 1.0, JUDGE)
    turned, _ = doubts_between(1.0, 0.5, JUDGE)
    assert level < 0.1 * turned
