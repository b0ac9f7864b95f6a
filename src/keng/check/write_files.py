"""Writes fixed texts back into their files."""

from __future__ import annotations

import os

from keng._util.disk import save
from keng._util.texts import sentence
from keng.check.fixes import Change
from keng.model import Skipped


def write(change: Change) -> Skipped | None:
    """Mode, encoding, byte order mark and line ends stay. Says why where it cannot."""
    try:
        data = change.after.encode(change.encoding)
    except UnicodeEncodeError as error:
        return Skipped(change.path, sentence("not_writable", why=error))
    if not os.path.exists(change.path):
        return Skipped(change.path, sentence("not_writable", why=sentence("was_removed")))
    return save(change.path, data)
