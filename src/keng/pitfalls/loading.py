"""Loads the rules of one surface of a pitfall: its module, and for error messages what messages.toml says of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from keng.model import CatalogError, Explainer, Facet, Hits, Message, Rules, Surface, Watcher
from keng.pitfalls import index as compiled
from keng.pitfalls.index import Meta
from keng.pitfalls.packs import Pack
from keng.pitfalls.texts import in_english, speaking
from keng.rules import Plain, marks_of

TITLE = "title"
"""The id of messages that the title of the page explains."""


def loader(meta: Meta, name: str) -> Callable[[Surface], Rules]:
    """What loads the rules of a surface. It raises CatalogError."""

    def load(surface: Surface) -> Rules:
        file = Path(meta.pack.home, meta.group, name.replace("-", "_"), f"{surface}.py")
        if surface == "explain":
            return explainers(name, compiled.index().details(name), file)
        return [_ready(name, rule) for rule in (_rules(file) if file.exists() else [])]

    return load


def _ready(name: str, rule: Any) -> Any:
    """The rule as engines have it: its hits speak, and what is only a function is one. Those of a running program
    get their English where they are reported: no frame of keng's more in each step."""
    if isinstance(rule, (type, Watcher)):
        return rule
    function = speaking(name, rule.function)
    return function if isinstance(rule, Plain) else rule._replace(function=function)


def explained_ids(file: Path) -> list[str]:
    """The ids of the functions of an explain.py."""
    return [rule.id for rule in _rules(file)] if file.exists() else []


def _rules(file: Path) -> list[Any]:
    """What the functions of a file are marked as."""
    *_, group, folder, _ = file.parts
    pack = _pack_of(file)
    _make_importable(pack)
    return list(_marked(_imported(f"{pack.module}.{group}.{folder}.{file.stem}", file, pack.said)))


def _pack_of(file: Path) -> Pack:
    home = str(file.parents[2])
    every = compiled.every_pack()
    return next((pack for pack in every if pack.home == home), every[0])


def _make_importable(pack: Pack) -> None:
    """Lets the folder of a pack be a package, whatever lies above it and without importing that."""
    if pack.name and pack.module not in sys.modules:
        module = ModuleType(pack.module)
        module.__path__ = [pack.home]
        sys.modules[pack.module] = module


def _marked(module: ModuleType) -> Iterator[Any]:
    for value in list(vars(module).values()):
        if getattr(value, "__module__", "") == module.__name__:
            yield from marks_of(value)


def _imported(module: str, file: Path, said: str) -> ModuleType:
    try:
        return import_module(module)
    except CatalogError as error:
        raise CatalogError(f"{said}{error}") from error
    except Exception as error:
        why = f"{said}{file}:{_line_in(file, error)}: {type(error).__name__}: {error}"
        raise CatalogError(why) from error


def _line_in(file: Path, error: Exception) -> int:
    if isinstance(error, SyntaxError):
        return error.lineno or 1
    import traceback

    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    return (lines[-1] if lines else 1) or 1


def explainers(name: str, details: dict[str, Any], file: Path) -> list[Explainer]:
    """In the order of messages.toml. Neighbours that only say which text a message contains are one table.
    explain.py, `file`, is imported when a message with a function of it is explained."""
    made: list[Explainer] = []
    table: dict[str, str] = {}
    odds = 0.0
    for id, likely, patterns, contains in [*details["messages"], ("", 0.0, [], "")]:
        if table and (not contains or likely != odds):
            made.append(_of_table(name, table, odds))
            table = {}
        if contains:
            odds, table[contains] = likely, id
        function = None if id == TITLE else _function(name, id, id in details["functions"], file)
        made += [Explainer(pattern, function, likely) for pattern in patterns]
    return made


def _of_table(name: str, table: dict[str, str], odds: float) -> Explainer:
    """One pattern for all rows: the first that stands in a message is explained."""

    def contained(failure: Any) -> Hits:
        yield in_english(name, failure.hit(Message(table[failure.groups["said"]], failure.groups)))

    return Explainer(f"(?P<said>{'|'.join(map(re.escape, table))})", contained, odds)


def _function(name: str, id: str, in_module: bool, file: Path) -> Facet:
    """The function of explain.py, which is imported when it is called, or the text of that id."""

    def imported(failure: Any) -> Hits:
        functions = {rule.id: rule.function for rule in _rules(file)}
        yield from speaking(name, functions[id])(failure)

    def filled(failure: Any) -> Hits:
        """The groups of the pattern fill the holes of the text."""
        yield in_english(name, failure.hit(Message(id, failure.groups)))

    return imported if in_module else filled
