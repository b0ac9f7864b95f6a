"""What the folders of all pitfalls say, compiled into one file, so that a start reads one file and imports none.

The wheel holds the file (`_compiled.bin`, written by the build hook) and it is never out of date there. In a checkout,
and for each pack, it is kept in the cache and made again, for the folders that have changed, when one has.
"""

from __future__ import annotations

import marshal
import os

from keng._util import cache
from keng._util.version import VERSION
from keng.pitfalls import packs
from keng.pitfalls.packs import Pack

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

    def __init__(self, row: dict[str, Any], pack: Pack) -> None:
        self.pack = pack
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
    """Of one or more packs. `details` holds for each pitfall its messages and texts, marshalled by themselves: few
    are asked for. Raises CatalogError for a name that two pitfalls have."""

    def __init__(self, records: list[tuple[Pack, dict[str, Any]]]) -> None:
        self.meta: dict[str, Meta] = {}
        self._details: dict[str, bytes] = {}
        stamps: list[str] = []
        for pack, record in records:
            for name, row in record["meta"].items():
                self._add(name, Meta(row, pack))
            self._details.update(record["details"])
            stamps += [record["code"], *record["stamps"].values()]
        self.stamp = cache.digest(*stamps)

    def _add(self, name: str, meta: Meta) -> None:
        if name in self.meta:
            from keng.model import CatalogError

            folder = os.path.join(meta.pack.home, meta.group, name.replace("-", "_"))
            other = self.meta[name].pack.name
            where = f"pack {other}" if other else "keng"
            raise CatalogError(f"{meta.pack.said}{folder}: {where} has a pitfall {name} too")
        self.meta[name] = meta

    def details(self, name: str) -> dict[str, Any]:
        """What messages.toml ("messages", rows of id, odds, patterns and contained text), text.toml ("texts"
        by id) and explain.py ("functions", their ids) hold."""
        found: dict[str, Any] = marshal.loads(self._details[name])
        return found


_loaded: dict[tuple[str, ...], Index] = {}


def built_in() -> Pack:
    """The pitfalls of keng itself."""
    return Pack("", HOME, "keng.pitfalls")


def is_checkout() -> bool:
    """Whether the folders of keng's own pitfalls are its sources, not those of an installed wheel."""
    return not os.path.exists(os.path.join(HOME, SHIPPED))


def every_pack() -> list[Pack]:
    """Keng's own pitfalls, and those of the packs."""
    return [built_in(), *packs.active()]


def index() -> Index:
    """Of the folder `HOME` and of the packs. Raises CatalogError for a folder that cannot be read."""
    return index_of(every_pack())


def index_of(wanted: list[Pack]) -> Index:
    key = tuple(pack.home for pack in wanted)
    if key not in _loaded:
        _loaded[key] = Index([(pack, _record_of(pack)) for pack in wanted])
    return _loaded[key]


_records: dict[str, dict[str, Any]] = {}


def forget() -> None:
    _loaded.clear()
    _records.clear()


def _record_of(pack: Pack) -> dict[str, Any]:
    if pack.home not in _records:
        _records[pack.home] = _record(pack)
    return _records[pack.home]


def _record(pack: Pack) -> dict[str, Any]:
    shipped = None if pack.name else cache.kept_table(os.path.join(HOME, SHIPPED), VERSION)
    if shipped is not None:
        return dict(shipped)
    stamps, code = dict(_stamps(pack.home)), cache.stamp([HOME])
    path = cache.path(f"pitfalls-{cache.digest(pack.home)}.bin")
    known = cache.kept_table(path, code)
    if known is not None and known["stamps"] == stamps:
        return dict(known)
    made = _compiled(pack, stamps, code, known)
    cache.keep_table(path, code, made)
    return made


def _stamps(home: str) -> Iterator[tuple[str, str]]:
    """Of each pitfall's folder, what changes with its files."""
    for group in sorted(packs.groups_of(home)):
        for folder in sorted(_pitfalls_in(group)):
            facts = []
            for file in os.scandir(folder):
                if file.name in FILES or file.name in MODULES:
                    status = file.stat()
                    facts.append(f"{file.name} {status.st_size} {status.st_mtime_ns}")
            yield f"{os.path.basename(group)}/{os.path.basename(folder)}", " ".join(sorted(facts))


def _pitfalls_in(group: str) -> Iterator[str]:
    for each in os.scandir(group):
        if each.name[0] not in "_." and os.path.exists(os.path.join(each.path, "README.md")):
            yield each.path


def _compiled(
    pack: Pack, stamps: dict[str, str], code: str, known: dict[str, Any] | None
) -> dict[str, Any]:
    """The record of all folders of a pack; those with the stamp that they had in `known` are taken from there."""
    from keng.model import CatalogError
    from keng.pitfalls.contents import details_of, row_of

    record: dict[str, Any] = {"code": code, "stamps": stamps, "meta": {}, "details": {}}
    for place, stamp in stamps.items():
        group, _, folder = place.partition("/")
        name = folder.replace("_", "-")
        if known is not None and known["stamps"].get(place) == stamp:
            record["meta"][name] = known["meta"][name]
            record["details"][name] = known["details"][name]
            continue
        path = os.path.join(pack.home, group, folder)
        try:
            record["meta"][name] = row_of(path)
            record["details"][name] = marshal.dumps(details_of(path), cache.FORMAT)
        except CatalogError as error:
            raise CatalogError(f"{pack.said}{error}") from None
    return record


def whole() -> bytes:
    """The file that the wheel holds."""
    pack = built_in()
    return cache.table_bytes(VERSION, _compiled(pack, dict(_stamps(HOME)), VERSION, None))
