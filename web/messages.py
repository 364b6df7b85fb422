"""Write src/messages.ts, the page's types of all messages, from the classes of `crevasse.web.messages`."""

import sys
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from crevasse.web import messages

TARGET = Path(__file__).parent / "src" / "messages.ts"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


def typescript(kind: Any) -> str:
    """A Python type in TypeScript."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in inner)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(typescript, inner)))
    if origin is tuple and inner[-1] is Ellipsis:
        item = typescript(inner[0])
        return f"({item})[]" if " " in item and not item.startswith("[") else f"{item}[]"
    if origin is tuple:
        return f"[{', '.join(map(typescript, inner))}]"
    if origin is dict:
        return f"Record<string, {typescript(inner[1])}>"
    return PLAIN.get(kind) or str(kind.__name__)


def interface(message: type) -> str:
    """The interface of a message; what a page may leave out is optional."""
    optional = {name for name in message.__dict__ if message.__dict__[name] is None}
    lines = []
    for name, kind in messages.fields_of(message).items():
        written = typescript(kind)
        lines.append(
            f"  {name}?: {written.removesuffix(' | null')};" if name in optional else f"  {name}: {written};"
        )
    about = " ".join((message.__doc__ or "").split())
    return "\n".join([f"/** {about} */", f"export interface {message.__name__} {{", *lines, "}"])


def generate() -> str:
    """The text of messages.ts."""
    parts = ["/** What server and page tell each other: made by messages.py, not edited. */"]
    parts += [interface(message) for message in messages.TYPES]
    parts += [f"export type {name} = {typescript(union)};" for name, union in messages.UNIONS.items()]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(TARGET.read_text() != generate())
    TARGET.write_text(generate())
