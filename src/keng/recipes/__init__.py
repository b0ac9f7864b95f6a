"""The right way as whole programs, one file each: `recipes/<name>.py` is the recipe `<name>`.

They are read, never imported: the head of a program tells what it does, and by a line `Avoids: ...` which
pitfalls it avoids. Packs bring theirs in a folder `recipes`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from keng import pitfalls
from keng.pitfalls.packs import RECIPES

HOME = Path(__file__).parent
AVOIDS = re.compile(r"^Avoids: (.+?)\.?$", re.MULTILINE)


class Recipe(NamedTuple):
    """A program to start from. `avoids` are names of pitfalls."""

    name: str
    title: str
    avoids: tuple[str, ...]
    text: str


def names() -> dict[str, Path]:
    """Name of every recipe -> its file."""
    homes = [HOME, *(Path(pack, RECIPES) for pack in pitfalls.pack_homes())]
    files = [file for home in homes for file in sorted(home.glob("*.py"))]
    return {file.stem.replace("_", "-"): file for file in files if file.stem != "__init__"}


def every() -> Iterator[Recipe]:
    """All recipes, by name."""
    return map(recipe, names())


def recipe(name: str) -> Recipe:
    """One recipe by its name. Raises KeyError where there is none of that name."""
    text = names()[name].read_text("utf-8")
    head = ast.get_docstring(ast.parse(text)) or ""
    said = AVOIDS.search(re.sub(r"(?<!\n)\n(?!\n)", " ", head))
    avoids = tuple(said[1].split(", ")) if said else ()
    return Recipe(name, head.partition("\n")[0], avoids, text)


def avoiding() -> dict[str, list[str]]:
    """Name of a pitfall -> the recipes that avoid it."""
    by_pitfall: dict[str, list[str]] = {}
    for each in every():
        for pitfall in each.avoids:
            by_pitfall.setdefault(pitfall, []).append(each.name)
    return by_pitfall
