"""Four methods on one map whose true depth is known: a table, and all of them on one sheet.

python examples/compare_methods.py [FOLDER]
"""

import sys
from pathlib import Path

import crevasse
from crevasse import pictures, scenes

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
methods = {
    "Poisson": crevasse.Poisson(),
    "BiNI": crevasse.Bilateral(),
    "auxiliary edges": crevasse.AuxiliaryEdges(iterations=40),
    "crevasse": crevasse.Graduated(),
}

table = crevasse.compare(scenes.relief(128), methods)
print(table)
(folder / "table.tex").write_text(table.to_latex())
(folder / "sheet.png").write_bytes(pictures.to_png(table.sheet()))
