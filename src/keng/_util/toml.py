"""TOML files that users write."""

from __future__ import annotations

import os
from typing import Any

from keng._util.cache import parse_toml
from keng._util.texts import sentence, why
from keng.model import Skipped


def load_toml(path: str | os.PathLike[str]) -> dict[str, Any] | Skipped:
    """The tables of a file, or why it cannot be read."""
    try:
        return parse_toml(path)
    except OSError as error:
        return Skipped(str(path), why(error))
    except ValueError as error:
        return Skipped(str(path), sentence("not_toml", why=error))
