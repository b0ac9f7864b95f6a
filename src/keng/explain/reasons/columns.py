"""Tables of pandas in the failing line: which column was asked for, which exist, which hold no numbers.

Only names and dtypes are read, never data, and only of `pandas.DataFrame` itself, not of a subclass.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from keng.explain.reasons.levels import Level, of_traceback
from keng.explain.reasons.source import Sources
from keng.model import Condition, Reason, Traced

MOST_NAMES = 12
LONGEST_NAME = 60
NO_NUMBERS = re.compile(
    r"could not convert string to float|numpy\.object_|dtype object|invalid literal"
)
ASKED = re.compile(r"'([^']{1,60})'")
ABSENT = re.compile(r"not in index|not found in axis|are in the \[columns\]")
NUMERIC = "biufc"
"""The kinds of NumPy's dtypes that are numbers."""


def column_reason(raised: BaseException) -> Reason | None:
    """The column that a table in the user's line does not have, or its columns that are no numbers."""
    levels = of_traceback(raised.__traceback__, Sources())
    level = next((each for each in reversed(levels) if each.user), None)
    if level is None or level.live is None:
        return None
    for name, table in _tables(level):
        if isinstance(raised, KeyError):
            found = _absent(level, name, table, raised)
        elif NO_NUMBERS.search(str(raised)):
            found = _of_text(level, name, table)
        else:
            found = None
        if found is not None:
            return found
    return None


def _tables(level: Level) -> Iterator[tuple[str, Any]]:
    """The tables that names of the line have, each once."""
    assert level.live is not None
    names = dict.fromkeys(node.id for node in level.nodes() if isinstance(node, ast.Name))
    for name in names:
        value = level.live.f_locals.get(name, level.live.f_globals.get(name))
        kind = type(value)
        if kind.__name__ == "DataFrame" and kind.__module__.split(".")[0] == "pandas":
            yield name, value


def _absent(level: Level, name: str, table: Any, raised: KeyError) -> Reason | None:
    columns = [str(each) for each in table.columns if isinstance(each, str | int)]
    key = raised.args[0] if raised.args else None
    if isinstance(key, str) and ABSENT.search(key):
        asked = ASKED.findall(key.partition("] are in")[0])
    else:
        asked = [key] if isinstance(key, str) else []
    missing = [each for each in asked if each not in columns and len(each) <= LONGEST_NAME]
    if not missing:
        return None
    near = get_close_matches(missing[0], columns, 1, 0.75)
    limit = Condition(_listed(columns)) if columns else None
    kind = "column_near" if near and limit is not None else "column"
    value = Traced(missing[0], repr(near[0]) if near else "")
    said = (Condition(_listed(missing)),)
    return Reason(kind, "", level.place, said, limit, name, (value,), sure=True, live=True)


def _of_text(level: Level, name: str, table: Any) -> Reason | None:
    """The columns whose dtype is no number."""
    dtypes = zip(table.columns, table.dtypes, strict=True)
    odd = [(str(column), str(dtype)) for column, dtype in dtypes if dtype.kind not in NUMERIC]
    if not odd:
        return None
    told = ", ".join(f"{column!r} ({dtype})" for column, dtype in odd[:MOST_NAMES])
    said = (Condition(_listed([column for column, _ in odd])),)
    return Reason(
        "text_columns", "", level.place, said, Condition(told), name, sure=True, live=True
    )


def _listed(names: list[str]) -> str:
    more = ", ..." if len(names) > MOST_NAMES else ""
    return ", ".join(repr(each[:LONGEST_NAME]) for each in names[:MOST_NAMES]) + more
