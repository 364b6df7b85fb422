"""How the documentation is built: Sphinx, pages in Markdown, references from the code."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import crevasse

project = "crevasse"
author = "The crevasse developers"
release = version = crevasse.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "command_line",
    "mathml",
    "plain_parameters",
]
exclude_patterns = ["_extensions"]
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
napoleon_use_ivar = True
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "show-inheritance": False}
html_math_renderer = "mathml"
html_theme = "furo"
html_title = "crevasse"
html_static_path: list[str] = []
