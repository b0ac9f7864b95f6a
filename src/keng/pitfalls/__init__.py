"""The pitfalls, a folder each: `pitfalls/<group>/<name>/`.

Found by looking into the folders. A pitfall that cannot be read or imported is an error that names file and line, never
a silence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence

from keng.pitfalls import index as compiled
from keng.pitfalls import packs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from keng.model import Pitfall, Surface
    from keng.pitfalls.index import Meta


def names() -> list[str]:
    """Those of all pitfalls, by group."""
    return list(compiled.index().meta)


def groups() -> list[str]:
    """The names of their folders."""
    return sorted(set(map(os.path.basename, _folders())))


def _folders() -> list[str]:
    """The folder of each group of each pack."""
    return [folder for pack in compiled.every_pack() for folder in packs.groups_of(pack.home)]


def folder(name: str) -> Path:
    """Raises KeyError."""
    from pathlib import Path

    meta = compiled.index().meta[name]
    return Path(meta.pack.home, meta.group, name.replace("-", "_"))


def pack_homes() -> list[str]:
    """The folders of the packs that are loaded besides keng's own pitfalls."""
    return [pack.home for pack in packs.active()]


def bringing(pitfall: Pitfall) -> str:
    """What the report of a rule that failed says of its pack and folder; nothing for a pitfall of keng's own."""
    meta = compiled.index().meta.get(pitfall.name)
    if meta is None or not meta.pack.name:
        return ""
    return f" of the pack {meta.pack.name} ({pitfall.folder})"


def forget() -> None:
    """Reads folders and packs again when they are next asked for."""
    packs.forget()
    compiled.forget()
    _pitfalls.clear()


def stamp() -> str:
    """Changes with every file of a pitfall, and of a group."""
    from keng._util import cache

    homes = [pack.home for pack in compiled.every_pack()]
    return cache.stamp([*homes, *_folders()], compiled.index().stamp)


def aliases() -> dict[str, str]:
    """Former name -> name."""
    return {former: name for name, meta in compiled.index().meta.items() for former in meta.aliases}


def is_known(name: str) -> bool:
    """Whether there is a pitfall of that name, or one that had it before."""
    return name in compiled.index().meta or name in aliases()


def every() -> Iterator[Pitfall]:
    """All pitfalls, by group and name."""
    return map(pitfall, names())


def having(
    surface: Surface, wanted: Callable[[Meta], bool] = lambda meta: True
) -> Iterator[Pitfall]:
    """Those with rules for a surface, as far as they are wanted."""
    for name, meta in compiled.index().meta.items():
        if surface in meta.surfaces and wanted(meta):
            yield pitfall(name)


def raising(named: Collection[str]) -> Iterator[Pitfall]:
    """Those whose machine raises the errors of others as well, by the names of these."""
    return having("env", lambda meta: any(name in named for name in meta.raises))


def bearing(named: Sequence[str]) -> list[Pitfall]:
    """Those of these names, in their order, and then the others whose machine raises their errors."""
    others = (each for each in raising(named) if each.name not in named)
    return [*map(pitfall, named), *others]


def probed() -> dict[str, str]:
    """Kind of a finding of the probes (`keng.run.probes.results.Kind`) -> the pitfall that stands for it."""
    return {kind: name for name, meta in compiled.index().meta.items() for kind in meta.probes}


_pitfalls: dict[str, Pitfall] = {}


def pitfall(name: str) -> Pitfall:
    """One pitfall by its name or a former one. Raises KeyError where there is none of that name."""
    if name not in _pitfalls:
        from keng.model import Pitfall
        from keng.pitfalls.loading import loader

        if name not in compiled.index().meta:
            return pitfall(aliases()[name])
        meta = compiled.index().meta[name]
        _pitfalls[name] = Pitfall(
            *(meta.group, name, meta.severity),
            title=meta.title,
            since=meta.since,
            needs=meta.needs,
            aliases=meta.aliases,
            raises=meta.raises,
            surfaces=meta.surfaces,
            folder=str(folder(name)),
            load=loader(meta, name),
        )
    return _pitfalls[name]
