"""Formulas as MathML, made when the pages are built: browsers show it themselves, without a script or network."""

from docutils import nodes
from latex2mathml.converter import convert


def show_inline(translator, node):
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def show_block(translator, node):
    translator.body.append(convert(node.astext(), display="block"))
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (show_inline, None), (show_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
