"""The patterns and messages of all pitfalls without importing their rules: which pitfall has which words.

Both tables are made once and kept until the folder of a pitfall or this room changes; the wheel holds them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache as once
from functools import partial
from typing import Any

from keng import pitfalls
from keng._util import cache
from keng._util.version import VERSION
from keng.explain.matching.patterns import Patterns, table_of
from keng.explain.reading import fragments
from keng.model import Pitfall
from keng.pitfalls.index import index

ROOMS = ("matching", "reading")
SHIPPED = "_compiled_{}.bin"
MAKERS: dict[str, Callable[[Iterable[Pitfall]], Any]] = {
    "patterns": table_of,
    "messages": fragments.table_of,
}


def patterns() -> Patterns:
    """Of every pitfall; the rules of one are imported when its words are in a text."""
    return Patterns(_kept("patterns"), once(pitfalls.pitfall), partial(_kept, "messages"))


def whole(what: str) -> bytes:
    """The file that the wheel holds."""
    return cache.table_bytes(VERSION, MAKERS[what](pitfalls.every()))


def _kept(what: str) -> Any:
    home = os.path.dirname(__file__)
    shipped, name = os.path.join(home, SHIPPED.format(what)), f"{what}-{cache.digest(home)}.bin"
    return cache.compiled(shipped, name, _stamp, lambda: MAKERS[what](pitfalls.every()))


def _stamp() -> str:
    room = os.path.dirname(os.path.dirname(__file__))
    return cache.stamp([os.path.join(room, name) for name in ROOMS], VERSION, index().stamp)
