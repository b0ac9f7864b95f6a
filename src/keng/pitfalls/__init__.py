"""The pitfalls, one file each: `catalog/<group>/<name>.py` is the pitfall `<name>`.

Found by looking into the folder; a unit that cannot be imported, or is put together wrongly, is an
error that names file and line, never a silence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence

from keng._util import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from keng.model import Pitfall

HOME = os.path.dirname(__file__)

Facets = dict[str, list[str]]
"""By kind ("probes", "inspects"), the arguments of each facet as they are written."""


def names() -> dict[str, Path]:
    """Name of every pitfall -> its file, without importing any."""
    from pathlib import Path

    files = sorted(Path(HOME).glob("*/*.py"))
    return {file.stem.replace("_", "-"): file for file in files if file.stem != "__init__"}


def groups() -> list[str]:
    return sorted(map(os.path.basename, folders()))


def folders() -> list[str]:
    """The folder of each group."""
    return [each.path for each in os.scandir(HOME) if each.is_dir() and each.name[0] != "_"]


def every() -> Iterator[Pitfall]:
    """All pitfalls, by group and name."""
    for file in names().values():
        yield _unit(file)


def having(facet: str, wanted: Callable[[str], bool] = lambda arguments: True) -> Iterator[Pitfall]:
    """Those with a facet of one kind whose arguments, as they are written, are wanted. The others are
    not imported: that would be most of what such a command costs."""
    facets = _facets().items()
    chosen = [name for name, there in facets if any(map(wanted, there.get(facet, ())))]
    files = names() if chosen else {}
    for name in chosen:
        yield _unit(files[name])


def breaking(named: Collection[str]) -> Iterator[Pitfall]:
    """Those whose machine raises the errors of others as well, by the names of these."""
    return having("breaks", lambda arguments: any(f'"{name}"' in arguments for name in named))


def bearing(named: Sequence[str]) -> list[Pitfall]:
    """Those of these names, in their order, and then the others whose machine raises their errors."""
    others = (pitfall for pitfall in breaking(named) if pitfall.name not in named)
    return [*map(pitfall, named), *others]


def _facets() -> dict[str, Facets]:
    """Of every pitfall, by its name. Their files are read once, and again when one has changed."""
    kept_as, stamp = f"facets-{cache.digest(str(HOME))}", cache.stamp([HOME, *folders()])
    table: dict[str, Facets] | None = cache.kept(kept_as, stamp)
    if table is None:
        table = {name: _written(file.read_text("utf-8")) for name, file in names().items()}
        cache.keep(kept_as, stamp, table)
    return table


def _written(text: str) -> Facets:
    import re

    facets: Facets = {}
    for kind, arguments in re.findall(r"^@?pitfall\.(\w+)(?:\((.*)\))?$", text, re.MULTILINE):
        facets.setdefault(kind, []).append(arguments)
    return facets


def pitfall(name: str) -> Pitfall:
    """One pitfall by its name. Raises KeyError where there is none of that name."""
    from pathlib import Path

    file = next(Path(HOME).glob(f"*/{name.replace('-', '_')}.py"), None)
    if file is None:
        raise KeyError(name)
    return _unit(file)


def _unit(file: Path) -> Pitfall:
    from importlib import import_module

    from keng.model import CatalogError, Pitfall

    module = f"{__name__}.{file.parent.name}.{file.stem}"
    try:
        unit = import_module(module).pitfall
    except CatalogError:
        raise
    except AttributeError as error:
        if error.name == "pitfall":
            raise CatalogError(
                f"{file}:1: no `pitfall = Pitfall(__name__, __doc__, ...)`"
            ) from None
        raise CatalogError(f"{file}:{_line_in(file, error)}: {error}") from error
    except Exception as error:
        raise CatalogError(
            f"{file}:{_line_in(file, error)}: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(unit, Pitfall) or unit.module != module:
        raise CatalogError(f"{file}:1: `pitfall` must be Pitfall(__name__, __doc__, ...)")
    if unit.watchers:
        _check_moments(unit, file)
    return unit


def _check_moments(unit: Pitfall, file: Path) -> None:
    from keng.model import CatalogError
    from keng.run.moments import MOMENTS  # what explains an error has no use for them

    for watcher in unit.watchers:
        if watcher.moment not in MOMENTS:
            line = watcher.function.__code__.co_firstlineno
            known = ", ".join(sorted(MOMENTS))
            raise CatalogError(f"{file}:{line}: no moment {watcher.moment!r}; there are {known}")


def _line_in(file: Path, error: Exception) -> int:
    if isinstance(error, SyntaxError):
        return error.lineno or 1
    import traceback

    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    return (lines[-1] if lines else 1) or 1
