"""Writing files, and why one cannot be written."""

from __future__ import annotations

import os

from keng._util.atomic import aside
from keng._util.texts import sentence, why

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from keng.model import Skipped


def save(path: str | Path, data: bytes) -> Skipped | None:
    """Puts data into a file. A link stays a link; what is no regular file is written to. Says why
    where it cannot."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as out:  # a pipe or a terminal
                out.write(data)
        elif skipped := _read_only(path):
            return skipped
        else:
            with aside(path) as out:
                out.write(data)
    except OSError as error:
        return _cannot(path, why(error))
    return None


def unwritable(path: str | Path) -> Skipped | None:
    """Why `save` would fail, for whoever asks before long work. Nothing is left behind."""
    if os.path.isdir(path):
        return _cannot(path, sentence("is_folder"))
    if os.path.exists(path) and not os.path.isfile(path):
        return None  # a pipe or a terminal
    return _read_only(path) or _shut(path, os.path.dirname(os.path.realpath(path)))


def unmakable(folder: str | Path) -> Skipped | None:
    """Why a folder, with those above it, could not be made and written to. Nothing is left behind."""
    place = os.path.realpath(folder)
    while not os.path.exists(place):
        place = os.path.dirname(place)
    return _shut(folder, place)


def _read_only(path: str | Path) -> Skipped | None:
    if os.path.exists(path) and not os.access(path, os.W_OK):
        return _cannot(path, sentence("is_read_only"))
    return None


def _shut(path: str | Path, folder: str) -> Skipped | None:
    """Why no file can be made in a folder."""
    from tempfile import TemporaryFile

    try:
        TemporaryFile(dir=folder).close()
    except OSError as error:
        return _cannot(path, why(error))
    return None


def _cannot(path: str | Path, because: str) -> Skipped:
    from keng.model import Skipped

    return Skipped(str(path), sentence("not_writable", why=because))
