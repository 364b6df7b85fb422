"""Fixtures that many test files share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """A server of the page."""
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    from web_tools import running

    with running() as one:
        yield one


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real Chromium; tests that need it skip without one."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from browser_page import ARGUMENTS, CHROMIUM, MILLISECONDS, PICTURES

    if CHROMIUM is None:
        pytest.skip("no Chromium found (install one, or set CREVASSE_CHROMIUM)")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with playwright.sync_playwright() as engine:
        one = engine.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=MILLISECONDS)
        yield one
        one.close()


@pytest.fixture
def page(server: Any, browser: Any) -> Iterator[Any]:
    """The page of the server in the browser."""
    from browser_page import Page

    one = Page(browser, f"http://127.0.0.1:{server.port}/")
    yield one
    one.close()


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working directory; files of tests put their input into it by a fixture of the same name."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
