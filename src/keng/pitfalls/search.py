"""Full-text search over the pitfalls: names, symptoms, titles, advice and messages, in English and Chinese.

SQLite's FTS5 ranks by BM25. The database is shipped with the wheel; a checkout keeps it in the cache.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from keng import pitfalls
from keng._util import cache
from keng._util.version import VERSION
from keng.pitfalls.index import HOME, Meta, index
from keng.pitfalls.page import Page, read, translation

SHIPPED = "_search.db"
FORMAT = 3
"""Of the database in the cache."""
WEIGHTS = {"symptoms": 12.0, "name": 10.0, "title": 6.0, "page": 2.0, "messages": 1.0}
"""Columns, and how much a word in each counts."""
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[\u3400-\u9fff]+")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
COMMON = set(
    "a an and are at be but by can cannot does do for from get got has have how i if in is it its me my no not of on "
    "or so that the their then there this to use was what when where which why will with you your 的 了 是 在 我 不 怎么".split()
)
MOST = 2000
"""Characters of a query that are read."""


class Found(NamedTuple):
    """A pitfall by its name. A larger score is a better match."""

    name: str
    score: float


def search(query: str) -> list[Found]:
    """The pitfalls that match, the best first: those that have all words of the query come before the rest."""
    every = words_of(query[:MOST])
    words = [word for word in every if word not in COMMON] or every
    if not words:
        return []
    terms = [f'"{word}"' for word in dict.fromkeys(words)]
    database = _database()
    try:
        found = _matches(database, " AND ".join(terms))
        known = {each.name for each in found}
        return found + [
            each for each in _matches(database, " OR ".join(terms)) if each.name not in known
        ]
    finally:
        database.close()


def _matches(database: sqlite3.Connection, match: str) -> list[Found]:
    rank = f"bm25(texts, {', '.join(map(str, WEIGHTS.values()))})"
    rows = database.execute(
        f"SELECT pitfalls.name, -{rank} FROM texts JOIN pitfalls ON pitfalls.id = texts.rowid WHERE texts MATCH ? "
        f"ORDER BY {rank}",
        (match,),
    )
    return [Found(*row) for row in rows]


def words_of(text: str) -> list[str]:
    """Of an identifier also its parts; of Chinese, which has no spaces, each pair of characters."""
    return [part for word in WORD.findall(text) for part in _parts(word)]


def _parts(word: str) -> Iterator[str]:
    if ord(word[0]) >= 0x3400:
        yield from (word[n : n + 2] for n in range(max(1, len(word) - 1)))
        return
    parts = PART.findall(word)
    if len(parts) > 1:
        yield "".join(parts).lower()
    yield from map(str.lower, parts or [word])


def _database() -> sqlite3.Connection:
    """That of the wheel, else of the cache, else made in memory. With packs it is never that of the wheel: how much a
    word counts depends on all texts."""
    path = os.path.join(HOME, SHIPPED)
    if pitfalls.pack_homes() or not os.path.exists(path):
        path = cache.path(f"search-{FORMAT}-{VERSION}-{index().stamp}.db")
        if path and not os.path.exists(path):
            cache.put_bytes(path, whole())
    if path and os.path.exists(path):
        return sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    return _filled(sqlite3.connect(":memory:"))


def whole() -> bytes:
    """The file that the wheel holds."""
    with TemporaryDirectory(prefix="keng-search-") as folder:
        path = os.path.join(folder, SHIPPED)
        _filled(sqlite3.connect(path)).close()
        with open(path, "rb") as file:
            return file.read()


def _filled(database: sqlite3.Connection) -> sqlite3.Connection:
    """The index of the texts, which does not hold the texts themselves."""
    columns = ", ".join(WEIGHTS)
    database.execute("CREATE TABLE pitfalls (id INTEGER PRIMARY KEY, name TEXT)")
    database.execute(
        f"CREATE VIRTUAL TABLE texts USING fts5({columns}, content='', tokenize='porter unicode61')"
    )
    marks = ", ".join("?" * (1 + len(WEIGHTS)))
    for id, (name, meta) in enumerate(index().meta.items(), 1):
        database.execute("INSERT INTO pitfalls VALUES (?, ?)", (id, name))
        database.execute(
            f"INSERT INTO texts (rowid, {columns}) VALUES ({marks})", (id, *_row(name, meta))
        )
    database.commit()
    return database


def _row(name: str, meta: Meta) -> tuple[str, ...]:
    return tuple(columns(name, meta).values())


def columns(name: str, meta: Meta) -> dict[str, str]:
    """What is searched of a pitfall: the words of each column of WEIGHTS, with spaces between them."""
    folder = pitfalls.folder(name)
    page, other = read(folder / "README.md"), translation(folder, "zh")
    pages = [page, *([other.page] if other is not None else [])]
    texts = {
        "symptoms": " ".join(meta.symptoms),
        "name": " ".join((name, *meta.aliases)),
        "title": " ".join(each.title for each in pages),
        "page": " ".join(f"{each.why} {each.cure}" for each in pages),
        "messages": _messages(page, index().details(name)),
    }
    return {column: " ".join(words_of(texts[column])) for column in WEIGHTS}


def _messages(page: Page, details: dict[str, Any]) -> str:
    """The error messages of the page, and what keng says of them."""
    texts = [block.text for block in page.blocks if block.label == "Message"]
    texts += [text for each in details["texts"].values() for text in each.values()]
    return " ".join(texts)
