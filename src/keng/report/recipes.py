"""The list of recipes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from keng._util.cache import load_own
from keng._util.texts import path
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words


class Recipe(Protocol):
    """`keng.recipes.Recipe` is one."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def avoids(self) -> Sequence[str]: ...


def lines(recipe: Recipe, words: Words, width: int) -> list[Line]:
    """Name, title and the pitfalls that it avoids."""
    indent = [Piece("  ")]
    title = load_own(path("recipes_zh"))[recipe.name] if words.lang == "zh" else recipe.title
    avoids = f"{words('avoids')}{words.colon}{words.comma.join(recipe.avoids)}"
    return [
        [Piece(recipe.name, "command")],
        *paragraph(title, width, indent),
        *paragraph(avoids, width, indent, "dim"),
    ]
