"""Refuses requests that another web site, or another name for this machine, has made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

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


def refusal(headers: Iterable[tuple[bytes, bytes]], hosts: frozenset[str]) -> str | None:
    """Why a request is refused; None: it may pass.

    A page of another site may know this server's address, but cannot forge Host, Origin or Sec-Fetch-Site.
    """
    found: dict[str, list[str]] = {}
    for name, value in headers:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1").lower())
    host = found.get("host", [])
    if len(host) != 1 or host[0] not in hosts:
        return f"Host is {', '.join(host) or 'missing'}; this server answers to {', '.join(sorted(hosts))}"
    for origin in found.get("origin", []):
        if origin != f"http://{host[0]}":
            return f"Origin is {origin}; only pages of this server may use it"
    for site in found.get("sec-fetch-site", []):
        if site == "cross-site" and "origin" not in found and found.get("sec-fetch-mode") != ["navigate"]:
            return "the request comes from another site; only pages of this server may use it"
    return None


class Guard:
    """Lets pass what is addressed to this server by its own page, and adds headers that keep the page to itself."""

    def __init__(self, app: Application, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        reason = refusal(scope["headers"], self.hosts)
        if reason is None:
            return await self.app(scope, receive, _with_headers(send, _host(scope)))
        if scope["type"] == "websocket":
            await receive()
            return await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        body = reason.encode()
        plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 403, "headers": plain})
        await send({"type": "http.response.body", "body": body})


def _host(scope: Scope) -> str:
    return str(next(value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"host"))


def page_headers(host: str) -> list[tuple[bytes, bytes]]:
    """Headers of every answer: nothing is fetched from elsewhere, nothing is framed, sniffed or stored."""
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self' ws://{host}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
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
