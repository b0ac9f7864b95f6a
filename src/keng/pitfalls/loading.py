"""Loads the rules of one surface of a pitfall: its module, and for error messages what messages.toml says of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from keng.model import CatalogError, Explainer, Facet, Hits, Rules, Surface
from keng.pitfalls import index as compiled
from keng.rules import Plain, marks_of

TITLE = "title"
"""The id of messages that the title of the page explains."""


def loader(group: str, name: str) -> Callable[[Surface], Rules]:
    """What loads the rules of a surface. It raises CatalogError."""

    def load(surface: Surface) -> Rules:
        file = Path(compiled.HOME, group, name.replace("-", "_"), f"{surface}.py")
        if surface == "explain":
            return explainers(compiled.index().details(name), file)
        rules = _rules(file) if file.exists() else []
        return [rule.function if isinstance(rule, Plain) else rule for rule in rules]

    return load


def explained_ids(file: Path) -> list[str]:
    """The ids of the functions of an explain.py."""
    return [rule.id for rule in _rules(file)] if file.exists() else []


def _rules(file: Path) -> list[Any]:
    """What the functions of a file are marked as."""
    *_, group, folder, _ = file.parts
    return list(_marked(_imported(f"{__package__}.{group}.{folder}.{file.stem}", file)))


def _marked(module: ModuleType) -> Iterator[Any]:
    for value in list(vars(module).values()):
        if getattr(value, "__module__", "") == module.__name__:
            yield from marks_of(value)


def _imported(module: str, file: Path) -> ModuleType:
    try:
        return import_module(module)
    except CatalogError:
        raise
    except Exception as error:
        why = f"{file}:{_line_in(file, error)}: {type(error).__name__}: {error}"
        raise CatalogError(why) from error


def _line_in(file: Path, error: Exception) -> int:
    if isinstance(error, SyntaxError):
        return error.lineno or 1
    import traceback

    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    return (lines[-1] if lines else 1) or 1


def explainers(details: dict[str, Any], file: Path) -> list[Explainer]:
    """In the order of messages.toml. Neighbours that only say which text a message contains are one table.
    explain.py, `file`, is imported when a message with a function of it is explained."""
    texts: dict[str, str] = {id: each["en"] for id, each in details["texts"].items()}
    made: list[Explainer] = []
    table: dict[str, str] = {}
    odds = 0.0
    for id, likely, patterns, contains in [*details["messages"], ("", 0.0, [], "")]:
        if table and (not contains or likely != odds):
            made.append(_of_table(table, odds))
            table = {}
        if contains:
            odds, table[contains] = likely, _text(texts, id, file)
        made += [Explainer(pattern, _function(texts, id, file), likely) for pattern in patterns]
    return made


def _function(texts: dict[str, str], id: str, file: Path) -> Facet | None:
    if id == TITLE:
        return None
    return _of_text(texts[id]) if id in texts else _of_module(id, file)


def _text(texts: dict[str, str], id: str, file: Path) -> str:
    if id not in texts:
        raise CatalogError(
            f"{file.with_name('messages.toml')}:1: {id!r} has neither a function nor a text"
        )
    return texts[id]


def _of_table(table: dict[str, str], odds: float) -> Explainer:
    """One pattern for all rows: the first that stands in a message is explained."""

    def contained(failure: Any) -> Hits:
        yield failure.hit(table[failure.groups["said"]].format_map(failure.groups))

    return Explainer(f"(?P<said>{'|'.join(map(re.escape, table))})", contained, odds)


def _of_module(id: str, file: Path) -> Facet:
    """A function of explain.py, imported when it is called."""

    def imported(failure: Any) -> Hits:
        functions = {rule.id: rule.function for rule in _rules(file)}
        yield from functions[id](failure)

    return imported


def _of_text(text: str) -> Facet:
    """The groups of the pattern fill the holes of the text."""

    def filled(failure: Any) -> Hits:
        yield failure.hit(text.format_map(failure.groups))

    return filled
