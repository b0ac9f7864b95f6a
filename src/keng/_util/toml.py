"""TOML files. The reader is imported when one is read."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

from keng._util import cache
from keng._util.disk import why
from keng._util.version import VERSION
from keng.model import Blind


def load_toml(path: str | os.PathLike[str]) -> dict[str, Any] | Blind:
    """The tables of a file, or why it cannot be read."""
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        with open(path, "rb") as file:
            tables: dict[str, Any] = toml.load(file)
    except OSError as error:
        return Blind(str(path), why(error))
    except ValueError as error:  # what is no TOML, or no UTF-8
        return Blind(str(path), f"cannot be read as TOML: {error}")
    return tables


def load_own(path: str) -> dict[str, Any]:
    """The tables of a file that belongs to keng. The wheel holds them compiled; in a checkout they are
    compiled into the cache, again when the file has changed."""
    shipped = cache.kept_table(compiled_path(path), VERSION)
    if shipped is not None:
        return dict(shipped)
    status = os.stat(path)
    stamp = f"{VERSION} {status.st_size} {status.st_mtime_ns}"
    place = cache.path(f"{os.path.basename(path)}-{cache.digest(path)}.bin")
    tables = cache.kept_table(place, stamp)
    if tables is None:
        tables = load_toml(path)
        assert not isinstance(tables, Blind), tables
        cache.keep_table(place, stamp, tables)
    return dict(tables)


def compiled_path(path: str) -> str:
    """Where the wheel holds the compiled form of a TOML file."""
    return f"{path.removesuffix('.toml')}_compiled.bin"


def compiled_own(path: str) -> bytes:
    """The compiled form of a TOML file that the wheel holds."""
    tables = load_toml(path)
    assert not isinstance(tables, Blind), tables
    return cache.table_bytes(VERSION, tables)
