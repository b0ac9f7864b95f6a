"""Puts mended texts back into their files."""

from __future__ import annotations

import os

from keng._util.disk import save
from keng.check.fixes import Change
from keng.model import Skipped


def write(change: Change) -> Skipped | None:
    """Mode, encoding, byte order mark and line ends stay. Says why where it cannot."""
    try:
        data = change.after.encode(change.encoding)
    except UnicodeEncodeError as error:
        return Skipped(change.path, f"cannot be written: {error}")
    if not os.path.exists(change.path):
        return Skipped(change.path, "cannot be written: it has gone")
    return save(change.path, data)
