"""What the folders of all pitfalls say, compiled into one file, so that a start reads one file and imports none.

The wheel holds the file (`_compiled.bin`, written by the build hook) and it is never out of date there. In a checkout
it is kept in the cache and made again, for the folders that have changed, when one has.
"""

from __future__ import annotations

import marshal
import os

from keng._util import cache
from keng._util.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keng.model import Severity

HOME = os.path.dirname(__file__)
SHIPPED = "_compiled.bin"
FILES = ("README.md", "messages.toml", "text.toml")
MODULES = ("check.py", "run.py", "explain.py", "ckpt.py", "env.py", "ranks.py")


class Meta:
    """The front matter of one pitfall and what can be seen of its folder from outside. `symptoms` are what
    users search for, in their words; `facts` those that its rules for checkpoints inspect, each with whether
    they may be sure."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.group: str = row["group"]
        self.severity: Severity = row["severity"]
        self.title: str = row["title"]
        self.since: str = row["since"]
        self.needs: str = row["needs"]
        self.aliases: tuple[str, ...] = row["aliases"]
        self.raises: tuple[str, ...] = row["raises"]
        self.symptoms: tuple[str, ...] = row["symptoms"]
        self.probes: tuple[str, ...] = row["probes"]
        self.surfaces: tuple[str, ...] = row["surfaces"]
        self.facts: tuple[tuple[str, bool], ...] = row["facts"]


class Index:
    """`details` holds for each pitfall its messages and texts, marshalled by themselves: few are asked for."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.meta = {name: Meta(row) for name, row in record["meta"].items()}
        self.stamp = cache.digest(record["code"], *record["stamps"].values())
        self._details: dict[str, bytes] = record["details"]

    def details(self, name: str) -> dict[str, Any]:
        """What messages.toml ("messages", rows of id, odds, patterns and contained text), text.toml ("texts"
        by id) and explain.py ("functions", their ids) hold."""
        found: dict[str, Any] = marshal.loads(self._details[name])
        return found


_loaded: dict[str, Index] = {}


def index() -> Index:
    """Of the folder `HOME`. Raises CatalogError for a folder that cannot be read."""
    if HOME not in _loaded:
        _loaded[HOME] = Index(_record())
    return _loaded[HOME]


def _record() -> dict[str, Any]:
    shipped = cache.kept_table(os.path.join(HOME, SHIPPED), VERSION)
    if shipped is not None:
        return dict(shipped)
    stamps, code = dict(_stamps()), cache.stamp([HOME])
    path = cache.path(f"pitfalls-{cache.digest(HOME)}.bin")
    known = cache.kept_table(path, code)
    if known is not None and known["stamps"] == stamps:
        return dict(known)
    made = compiled(stamps, code, known)
    cache.keep_table(path, code, made)
    return made


def _stamps() -> Iterator[tuple[str, str]]:
    """Of each pitfall's folder, what changes with its files."""
    for group in sorted(folders()):
        for folder in sorted(_pitfalls_in(group)):
            facts = []
            for file in os.scandir(folder):
                if file.name in FILES or file.name in MODULES:
                    status = file.stat()
                    facts.append(f"{file.name} {status.st_size} {status.st_mtime_ns}")
            yield f"{os.path.basename(group)}/{os.path.basename(folder)}", " ".join(sorted(facts))


def folders() -> list[str]:
    """The folder of each group."""
    return [each.path for each in os.scandir(HOME) if each.is_dir() and each.name[0] not in "_."]


def _pitfalls_in(group: str) -> Iterator[str]:
    for each in os.scandir(group):
        if each.name[0] not in "_." and os.path.exists(os.path.join(each.path, "README.md")):
            yield each.path


def compiled(stamps: dict[str, str], code: str, known: dict[str, Any] | None) -> dict[str, Any]:
    """The record of all folders; those with the stamp that they had in `known` are taken from there."""
    from keng.pitfalls.contents import details_of, row_of

    record: dict[str, Any] = {"code": code, "stamps": stamps, "meta": {}, "details": {}}
    for place, stamp in stamps.items():
        group, _, folder = place.partition("/")
        name = folder.replace("_", "-")
        if known is not None and known["stamps"].get(place) == stamp:
            record["meta"][name] = known["meta"][name]
            record["details"][name] = known["details"][name]
        else:
            path = os.path.join(HOME, group, folder)
            record["meta"][name] = row_of(path)
            record["details"][name] = marshal.dumps(details_of(path), cache.FORMAT)
    return record


def whole() -> bytes:
    """The file that the wheel holds."""
    return cache.table_bytes(VERSION, compiled(dict(_stamps()), VERSION, None))
