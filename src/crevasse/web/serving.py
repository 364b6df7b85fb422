"""Serve the page until stopped."""

from __future__ import annotations

import ipaddress
import logging
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from crevasse.web.limits import Limits


@dataclass(frozen=True)
class Place:
    """Where to listen.

    Attributes
    ----------
    host : 127.0.0.1 is reached from this machine only
    port : 0 is any free one
    names : further names by which pages may call this server
    """

    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()

    @property
    def loopback(self) -> bool:
        """Whether only this machine can connect."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def open_socket(place: Place) -> socket.socket:
    """A listening socket; refuses a port that is taken."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((place.host, place.port))
    except OSError as error:
        listener.close()
        raise OSError(
            f"cannot listen on {place.host} port {place.port}: {error.strerror}; choose another --port"
        ) from None
    return listener


def address(listener: socket.socket) -> str:
    """The address for a browser on this machine."""
    host, port = listener.getsockname()[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def host_names(place: Place) -> Sequence[str]:
    """Names that mean this server besides the local ones."""
    own = () if place.host in ("0.0.0.0", "::") else (place.host,)
    return (*own, *(() if place.host == "127.0.0.1" else (socket.gethostname(),)), *place.names)


def serve(
    place: Place,
    limits: Limits | None = None,
    preloaded: Path | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve the page until interrupted.

    Where other machines can connect, a browser needs a token, which is part of the address.

    Parameters
    ----------
    preloaded : a depth map that pages show at once
    ready : called with the address once pages can connect
    """
    import uvicorn

    from crevasse.web.app import create_app
    from crevasse.web.connections import bounded_protocol
    from crevasse.web.guard import allowed_hosts
    from crevasse.web.log_limit import LogLimit

    limits = limits or Limits()
    token = None if place.loopback else secrets.token_urlsafe(24)
    with open_socket(place) as listener:
        hosts = allowed_hosts(listener.getsockname()[1], host_names(place))
        config = uvicorn.Config(
            create_app(hosts, limits, preloaded, token),
            http=bounded_protocol(limits.connections),
            ws_max_size=limits.message_bytes,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        logging.getLogger("uvicorn.error").addFilter(LogLimit())
        logging.getLogger("asyncio").addFilter(LogLimit())
        server = uvicorn.Server(config)
        if ready is not None:
            listener.listen(128)
            ready(address(listener) + ("" if token is None else f"?token={token}"))
        server.run(sockets=[listener])
