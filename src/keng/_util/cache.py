"""What was computed once and can be computed again, kept in the user's cache folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from zlib import crc32

from keng._util.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

FORMAT = 2
"""Of marshal: the newest that every Python since 3.10 reads alike."""


def put(name: str, what: Any) -> str:
    """Stores what JSON can hold for another command to read, and gives the path of the file; an empty
    one where nothing may be written."""
    import json

    from keng._util.atomic import aside  # late: mostly nothing is written

    with suppress(OSError, RuntimeError):
        path = _file(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with aside(path) as out:
            out.write(json.dumps(what).encode())
        return path
    return ""


def path(name: str) -> str:
    """Where a file of this name is kept; empty where the user has no home."""
    with suppress(RuntimeError):
        return os.path.join(_folder(), name)
    return ""


def put_bytes(path: str, data: bytes) -> None:
    """Writes a file of the cache. Where nothing may be written, it will be computed again."""
    from keng._util.atomic import aside

    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with aside(path) as out:
            out.write(data)


def kept_table(path: str, stamp: str) -> Any:
    """The table that `keep_table` or a wheel has put into this file with this stamp; None without one."""
    import marshal

    try:
        with open(path, "rb") as file:
            written, table = marshal.loads(file.read())
        return table if written == stamp else None
    except (OSError, ValueError, TypeError, EOFError):
        return None


def keep_table(path: str, stamp: str, table: Any) -> None:
    """Writes a table that `kept_table` reads. Where nothing may be written, it will be computed again."""
    if path:
        put_bytes(path, table_bytes(stamp, table))


def table_bytes(stamp: str, table: Any) -> bytes:
    import marshal

    return marshal.dumps((stamp, table), FORMAT)


def stamp(folders: Iterable[str | Path], *more: str) -> str:
    """Changes with every Python file of these folders, those below them left out."""
    facts = [VERSION, *more]
    for folder in folders:
        for file in os.scandir(folder):
            if file.name.endswith(".py"):
                status = file.stat()
                facts.append(f"{file.path} {status.st_size} {status.st_mtime_ns}")
    return digest(*sorted(facts))


def digest(*parts: str) -> str:
    return f"{crc32(chr(0).join(parts).encode('utf-8', 'surrogateescape')):08x}"


def _file(name: str) -> str:
    return os.path.join(_folder(), f"{name}.json")


def _folder() -> str:
    """Raises RuntimeError where the user has no home."""
    named = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    usual = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    folder = os.path.expanduser(named or usual)
    if folder.startswith("~"):
        raise RuntimeError("no home")
    return os.path.join(folder, "keng")


def compiled(shipped: str, name: str, stamp: Callable[[], str], make: Callable[[], Any]) -> Any:
    """A table of keng's own: that of the wheel (`shipped`), else that of the cache with this stamp, else
    made and kept there."""
    table = kept_table(shipped, VERSION)
    if table is not None:
        return table
    place, changes = path(name), stamp()
    table = kept_table(place, changes)
    if table is None:
        table = make()
        keep_table(place, changes, table)
    return table


_own: dict[str, dict[str, Any]] = {}


def load_own(file: str) -> dict[str, Any]:
    """The tables of a TOML file that belongs to keng, read once and not to be changed. The wheel holds them
    compiled; in a checkout they are compiled into the cache, again when the file has changed."""
    if file not in _own:
        name = f"{os.path.basename(file)}-{digest(file)}.bin"
        _own[file] = compiled(
            compiled_path(file), name, lambda: _state(file), lambda: _tables(file)
        )
    return _own[file]


def _state(file: str) -> str:
    status = os.stat(file)
    return f"{VERSION} {status.st_size} {status.st_mtime_ns}"


def compiled_path(file: str) -> str:
    """Where the wheel holds the compiled form of a TOML file."""
    return f"{file.removesuffix('.toml')}_compiled.bin"


def compiled_own(file: str) -> bytes:
    """The compiled form of a TOML file that the wheel holds."""
    return table_bytes(VERSION, _tables(file))


def _tables(file: str) -> dict[str, Any]:
    return parse_toml(file)  # seldom: mostly the compiled form is there


def parse_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The tables of a file. Raises OSError, and ValueError for what is not TOML or not UTF-8."""
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    with open(path, "rb") as file:
        tables: dict[str, Any] = toml.load(file)
    return tables
