"""The pitfalls, one file each: `catalog/<group>/<name>.py` is the pitfall `<name>`.

Found by looking into the folder; a unit that cannot be imported, or is put together wrongly, is an
error that names file and line, never a silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from keng.model import CatalogError, Pitfall

HOME = Path(__file__).parent


def names() -> dict[str, Path]:
    """Name of every pitfall -> its file, without importing any."""
    files = sorted(HOME.glob("*/*.py"))
    return {file.stem.replace("_", "-"): file for file in files if file.stem != "__init__"}


def groups() -> list[str]:
    return sorted(file.parent.name for file in HOME.glob("*/__init__.py"))


def every() -> Iterator[Pitfall]:
    """All pitfalls, by group and name."""
    for file in names().values():
        yield _unit(file)


def having(facet: str, wanted: Callable[[str], bool] = lambda arguments: True) -> Iterator[Pitfall]:
    """Those with a facet of one kind, "probes" or "inspects", whose arguments, as they are written, are
    wanted. The others are not imported, only read: importing them would be most of what such a command
    costs."""
    facets = re.compile(rf"^@pitfall\.{facet}(?:\((.*)\))?$", re.MULTILINE)
    for file in names().values():
        if any(map(wanted, facets.findall(file.read_text("utf-8")))):
            yield _unit(file)


def pitfall(name: str) -> Pitfall:
    """One pitfall by its name. Raises KeyError where there is none of that name."""
    file = next(HOME.glob(f"*/{name.replace('-', '_')}.py"), None)
    if file is None:
        raise KeyError(name)
    return _unit(file)


def _unit(file: Path) -> Pitfall:
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
    from keng.moments import MOMENTS  # what explains an error has no use for them

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
