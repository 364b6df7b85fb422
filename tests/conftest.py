"""Fixtures that many test files share."""

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working directory; files of tests put their input into it by a fixture of the same name."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
