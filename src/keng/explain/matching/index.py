"""The patterns and messages of the whole catalogue without importing it: which unit holds which words.

Both tables are made once by importing every unit, and kept until a file of the catalogue changes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from functools import cache as once
from functools import partial
from typing import Any

from keng import pitfalls
from keng._util import cache
from keng.explain.matching.patterns import Patterns, table_of
from keng.explain.reading import fragments
from keng.model import Pitfall

BEGUN = time.time()


def patterns() -> Patterns:
    """Of every unit; one is imported when its words are in a text."""
    table = _kept("patterns", table_of)
    return Patterns(table, once(pitfalls.pitfall), partial(_kept, "messages", fragments.table_of))


def _kept(what: str, make: Callable[[Iterable[Pitfall]], Any]) -> Any:
    name, stamp = f"{what}-{cache.digest(str(pitfalls.HOME))}", _stamp()
    stored = cache.kept(name, stamp)
    if stored is None:
        stored = make(pitfalls.every())
        if not _changed_meanwhile():
            cache.keep(name, stamp, stored)
    return stored


def _changed_meanwhile() -> bool:
    """Whether a unit is newer than this process, which may have imported what it was before."""
    return any(file.stat().st_mtime > BEGUN for file in pitfalls.names().values())


def _stamp() -> str:
    """Changes with every file of the catalogue, of its data, and of this room, which makes the table."""
    home = os.path.dirname(pitfalls.HOME)
    rooms = ("tables", "explain/matching", "explain/reading")
    return cache.stamp([*(os.path.join(home, room) for room in rooms), *pitfalls.folders()])
