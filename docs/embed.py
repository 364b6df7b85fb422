"""Copy code into the pages, so that it can be read where Sphinx does not build them.

python docs/embed.py

A page holds the code of a file, or of one class or function of it, between `<!-- code PATH [NAME] -->` and
`<!-- end -->`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"(?<=<!-- code )(\S+)(?: (\S+))? -->\n.*?(?=<!-- end -->)", re.DOTALL)


def embed(text: str) -> str:
    """The text of a page with its code blocks brought up to date."""
    return BLOCK.sub(lambda match: match[0].partition("\n")[0] + "\n" + _block(match[1], match[2]), text)


def _block(path: str, name: str | None) -> str:
    code = (ROOT / path).read_text("utf-8")
    if name is not None:
        code = _find(code, name)
    return f"```python\n{code.strip()}\n```\n"


def _find(code: str, name: str) -> str:
    """The source of a function, or of a method as Class.method."""
    nodes: list[ast.stmt] = ast.parse(code).body
    for part in name.split("."):
        found = next(node for node in nodes if getattr(node, "name", None) == part)
        nodes = getattr(found, "body", [])
    lines = code.splitlines()[found.lineno - 1 : found.end_lineno]
    return "\n".join(line[found.col_offset :] for line in lines)


def main() -> None:
    for page in sorted((ROOT / "docs").glob("*.md")):
        page.write_text(embed(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
