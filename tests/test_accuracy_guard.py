"""No error rises by more than 3 % over the record, unless the record changes on purpose in the same commit."""

import pytest
from accuracy import GUARDED, measure
from cases import Case, built_in, data_folder, measured
from record import read_record

RISE = 1.03
ROUNDING = {"made": 1e-4, "made_aligned": 0.01}
"""Pixels: errors of exact scenes are rounding, of which 3 % means nothing; islands may gain or lose a few pixels."""

RECORD = {(row["case"], row["method"]): row for row in read_record("accuracy")["rows"]}


def risen(cases: list[Case]) -> list[str]:
    """A sentence for every error that is larger than the record allows."""
    told = []
    for case in cases:
        for method in GUARDED:
            recorded = RECORD[case.name, method]
            found = measure(case, method)
            for key, rounding in ROUNDING.items():
                if not found[key] <= RISE * recorded[key] + rounding:
                    told.append(f"{case.name} {method} {key}: {found[key]:.5f}, recorded {recorded[key]:.5f}")
    return told


def test_built_in_scenes_are_no_worse_than_recorded() -> None:
    assert risen(list(built_in())) == []


@pytest.mark.data
@pytest.mark.skipif(data_folder() is None, reason="CREVASSE_DATA names no folder with the evaluation data")
@pytest.mark.parametrize("group", ["diligent", "scenes"])
def test_measured_maps_are_no_worse_than_recorded(group: str) -> None:
    assert risen([case for case in measured() if case.name.startswith(group)]) == []


@pytest.mark.data
@pytest.mark.skipif(data_folder() is None, reason="CREVASSE_DATA names no folder with the evaluation data")
def test_every_measured_map_has_a_record() -> None:
    recorded = {name for name, _ in RECORD}
    assert {case.name for case in measured()} <= recorded
