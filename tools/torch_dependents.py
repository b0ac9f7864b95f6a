"""Writes src/keng/tables/built_on_torch.names: the packages of PyPI whose authors say that they are made for PyTorch.

Usage: python tools/torch_dependents.py LIST

LIST is a table of PyPI's packages with the columns name, version, month, rank and summary, separated by tabs. The name of
a package is kept as it is imported; those that have "torch" in their name need no table.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

OUT = Path(__file__).parents[1] / "src" / "keng" / "tables" / "built_on_torch.names"
HEAD = "# packages of PyPI whose summaries name PyTorch, as they are imported, by tools/torch_dependents.py"
SAYS_SO = re.compile(r"(?<![a-z])(?:py)?torch(?![a-z])", re.IGNORECASE)


def main(source: Path) -> None:
    names = sorted({name for name in _names(source) if "torch" not in name})
    OUT.write_text("\n".join([HEAD, *names]) + "\n", "utf-8")


def _names(source: Path) -> Iterator[str]:
    for line in source.read_text("utf-8").splitlines()[1:]:
        name, *_, summary = line.split("\t")
        if SAYS_SO.search(summary):
            yield re.sub(r"[-.]+", "_", name.lower())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
