"""Writes tests/pitfalls/api.txt: the names of the vocabulary that keng's own pitfalls import, which packs may rely on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from keng import pitfalls
from keng.battery.engine import VOCABULARY

LIST = Path(__file__).parents[1] / "tests/pitfalls/api.txt"


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(VOCABULARY):
            yield from (f"{node.module}:{alias.name}" for alias in node.names)


def names() -> list[str]:
    homes = {pitfalls.folder(name).parent for name in pitfalls.names()}
    files = (file for home in homes for file in home.glob("**/*.py") if file.parent.name != "cases")
    return sorted({name for file in files for name in imported(file)})


if __name__ == "__main__":
    LIST.write_text("".join(f"{name}\n" for name in names()))
