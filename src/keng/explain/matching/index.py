"""The patterns and messages of all pitfalls without importing their rules: which pitfall has which words.

Both tables are made once for keng and for each pack, and kept until the folder of a pitfall or this
room changes; the wheel holds those of keng.
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
from keng.explain.matching.patterns import Patterns, Table, table_of
from keng.explain.reading import fragments
from keng.model import Pitfall
from keng.pitfalls.index import built_in, every_pack, index_of
from keng.pitfalls.packs import Pack

ROOMS = ("matching", "reading")
SHIPPED = "_compiled_{}.bin"
MAKERS: dict[str, Callable[[Iterable[Pitfall]], Any]] = {
    "patterns": table_of,
    "messages": fragments.table_of,
}


def patterns() -> Patterns:
    """Of every pitfall; the rules of one are imported when its words are in a text."""
    return Patterns(_patterns(), once(pitfalls.pitfall), _messages)


def _patterns() -> Table:
    """The tables of keng and of the packs as one."""
    own, *others = (_kept("patterns", pack) for pack in every_pack())
    table: Table = dict(own)
    for other in others:
        for word, entries in other.items():
            table[word] = [*table.get(word, ()), *entries]
    return table


def _messages() -> fragments.Table:
    return {name: lines for pack in every_pack() for name, lines in _kept("messages", pack).items()}


def whole(what: str) -> bytes:
    """The file that the wheel holds."""
    return cache.table_bytes(VERSION, _made(what, built_in()))


def _kept(what: str, pack: Pack) -> Any:
    home = os.path.dirname(__file__)
    shipped = "" if pack.name else os.path.join(home, SHIPPED.format(what))
    name = f"{what}-{cache.digest(pack.home if pack.name else home)}.bin"
    return cache.compiled(shipped, name, partial(_stamp, pack), partial(_made, what, pack))


def _made(what: str, pack: Pack) -> Any:
    return MAKERS[what](map(pitfalls.pitfall, index_of([pack]).meta))


def _stamp(pack: Pack) -> str:
    room = os.path.dirname(os.path.dirname(__file__))
    rooms = [os.path.join(room, name) for name in ROOMS]
    return cache.stamp(rooms, VERSION, index_of([pack]).stamp)
