"""The index of the site's search: the words that `keng pits` searches, and those of the other pages.

docs/theme/assets/keng/search.js ranks them, in the worker of the theme's search box.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from keng import pitfalls
from keng.pitfalls.index import Meta, index
from keng.pitfalls.page import page_of
from keng.pitfalls.search import COMMON, WEIGHTS, columns, words_of

SECTION = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>', re.DOTALL)
TAG = re.compile(r"<[^>]+>")
TEASER = 240
"""Characters of a text that a result shows."""
LANGUAGES = ("en", "zh")

_pages: dict[str, list[dict[str, Any]]] = {}
"""By the address of a page, its sections."""


def keep(page: Any, html: str) -> None:
    """Keeps what is searched of a page that is no pitfall's."""
    if not page.file.src_uri.startswith("pitfalls/"):
        _pages[page.url] = list(_sections(page.url, str(page.title), html))


def _sections(url: str, title: str, html: str) -> Iterator[dict[str, Any]]:
    starts = [*SECTION.finditer(html)]
    ends = [each.start() for each in starts] + [len(html)]
    yield _record(url, title, _plain(html[: ends[0]]))
    for start, end in zip(starts, ends[1:], strict=True):
        head = f"{title} › {_plain(start[2])}"
        yield _record(f"{url}#{start[1]}", head, _plain(html[start.end() : end]))


def _record(location: str, title: str, text: str) -> dict[str, Any]:
    words = {"title": title, "page": text}
    found = {column: " ".join(words_of(words.get(column, ""))) for column in WEIGHTS}
    phrases = [found["title"]]
    return {
        "location": location,
        "title": title,
        "text": _cut(text),
        "words": found,
        "phrases": phrases,
    }


def _pitfalls(lang: str) -> Iterator[dict[str, Any]]:
    for name, meta in index().meta.items():
        page = page_of(pitfalls.pitfall(name), lang)
        text = f"{name}: {page.why}"
        yield {
            "location": f"pitfalls/{name}/",
            "title": page.title,
            "text": _cut(text),
            "words": columns(name, meta),
            "phrases": [" ".join(words_of(each)) for each in _phrases(name, meta)],
        }


def _phrases(name: str, meta: Meta) -> Iterator[str]:
    """Short texts that say by themselves what a pitfall is about."""
    yield from (*meta.symptoms, name, *meta.aliases)
    yield from (page_of(pitfalls.pitfall(name), lang).title for lang in LANGUAGES)


def write(path: Path, lang: str) -> None:
    documents = [*_pitfalls(lang), *(each for page in _pages.values() for each in page)]
    # The theme's own script reads `separator`, to mark the words of a query on the page.
    config = {
        "lang": [lang],
        "separator": r"[\s\-]+",
        "weights": WEIGHTS,
        "common": sorted(COMMON),
    }
    table = {"config": config, "docs": documents}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(table, ensure_ascii=False, separators=(",", ":")), "utf-8")
    _pages.clear()


def _plain(html: str) -> str:
    return " ".join(unescape(TAG.sub(" ", html)).split())


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= TEASER else flat[:TEASER].rsplit(" ", 1)[0] + " …"
