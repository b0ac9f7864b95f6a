"""TOML files. The reader is imported when one is read."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

from keng._util.disk import why
from keng.model import Skipped


def load_toml(path: str | os.PathLike[str]) -> dict[str, Any] | Skipped:
    """The tables of a file, or why it cannot be read."""
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        with open(path, "rb") as file:
            tables: dict[str, Any] = toml.load(file)
    except OSError as error:
        return Skipped(str(path), why(error))
    except ValueError as error:  # what is no TOML, or no UTF-8
        return Skipped(str(path), f"cannot be read as TOML: {error}")
    return tables
