"""Refuse requests made by other web sites, or under another name for this machine."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


def allowed_hosts(port: int, names: Iterable[str] = ()) -> frozenset[str]:
    """The Host headers that mean this server."""
    bracketed = [f"[{name}]" if ":" in name and not name.startswith("[") else name for name in names]
    hosts = [name.lower() for name in (*LOCAL_NAMES, *bracketed)]
    return frozenset([f"{host}:{port}" for host in hosts] + (hosts if port == 80 else []))


def refusal(headers: Iterable[tuple[bytes, bytes]], hosts: frozenset[str], changes: bool = False) -> str | None:
    """Why a request is refused; None: it may pass.

    A page of another site may know this server's address, but cannot forge Host, Origin or Sec-Fetch-Site.

    Parameters
    ----------
    changes : whether the request opens a session or changes one; browsers always name the origin of such requests
    """
    found: dict[str, list[str]] = {}
    for name, value in headers:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1").lower())
    host = found.get("host", [])
    if len(host) != 1 or host[0] not in hosts:
        return f"Host is {', '.join(host) or 'missing'}; this server answers to {', '.join(sorted(hosts))}"
    origins = found.get("origin", [])
    if changes and not origins:
        return "Origin is missing; only pages of this server may use it"
    for origin in origins:
        if origin != f"http://{host[0]}":
            return f"Origin is {origin}; only pages of this server may use it"
    for site in found.get("sec-fetch-site", []):
        if site == "cross-site" and "origin" not in found and found.get("sec-fetch-mode") != ["navigate"]:
            return "the request comes from another site; only pages of this server may use it"
    return None


class Guard:
    """Pass on requests of this server's own page, refuse others, and add headers that isolate the page.

    With a token, only browsers that opened the address with the token pass: a cookie remembers them.
    """

    def __init__(self, app: Application, hosts: frozenset[str], token: str | None = None) -> None:
        self.app, self.hosts, self.token = app, hosts, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        reason = refusal(scope["headers"], self.hosts, changes)
        if reason is not None:
            return await _refuse(scope, receive, send, reason)
        if self.token is None or _knows(scope, self.token):
            return await self.app(scope, receive, _with_headers(send, _host(scope)))
        if scope["type"] == "http" and _same(_token_of_query(scope), self.token):
            return await _admit(scope, send, self.token)
        await _refuse(
            scope, receive, send, "this server needs its token; open the address that it printed at start-up"
        )


async def _refuse(scope: Scope, receive: Receive, send: Send, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        return await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
    await _answer(send, 403, [(b"content-type", b"text/plain; charset=utf-8")], reason.encode())


async def _admit(scope: Scope, send: Send, token: str) -> None:
    """Remember the browser, and take the token out of its address bar."""
    cookie = f"{_cookie_name(scope)}={token}; Path=/; HttpOnly; SameSite=Strict"
    await _answer(send, 303, [(b"location", b"/"), (b"set-cookie", cookie.encode())], b"")


async def _answer(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    whole = [*headers, (b"content-length", str(len(body)).encode()), *page_headers(None)]
    await send({"type": "http.response.start", "status": status, "headers": whole})
    await send({"type": "http.response.body", "body": body})


def _knows(scope: Scope, token: str) -> bool:
    """Whether a request carries the cookie of this server's token."""
    for name, value in scope["headers"]:
        if name.lower() == b"cookie":
            try:
                cookie = SimpleCookie(value.decode("latin-1")).get(_cookie_name(scope))
            except CookieError:
                continue
            if cookie is not None and _same(cookie.value, token):
                return True
    return False


def _cookie_name(scope: Scope) -> str:
    """Servers on other ports of the same machine have their own cookie."""
    return f"crevasse-{_host(scope).rpartition(':')[2]}"


def _token_of_query(scope: Scope) -> str:
    return str(parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0])


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def _host(scope: Scope) -> str:
    return str(next(value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"host"))


def page_headers(host: str | None) -> list[tuple[bytes, bytes]]:
    """Headers of every answer: nothing is fetched from elsewhere, nothing is framed, sniffed or stored.

    Parameters
    ----------
    host : this server's name for its page; None where no page is answered with
    """
    policy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    if host is not None:
        policy += f"; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws://{host}"
    return [
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cache-control", b"no-store"),
    ]


def _with_headers(send: Send, host: str) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *page_headers(host)]
        await send(message)

    return sending
