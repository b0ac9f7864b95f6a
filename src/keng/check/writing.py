"""Puts texts into files, so that no moment leaves half a file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from keng.check.fixes import Change
from keng.model import Blind


def write(change: Change) -> Blind | None:
    """Puts a mended text back into its file; mode, encoding, byte order mark and line ends stay. Says
    why where it cannot."""
    try:
        data = change.after.encode(change.encoding)
    except UnicodeEncodeError as error:
        return Blind(change.path, f"cannot be written: {error}")
    if not os.path.exists(change.path):
        return Blind(change.path, "cannot be written: it has gone")
    return save(change.path, data)


def save(path: str, data: bytes) -> Blind | None:
    """Writes beside the file and renames. A link stays a link; what is no regular file is written
    to. Says why where it cannot."""
    file = Path(os.path.realpath(path))
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            Path(path).write_bytes(data)  # a pipe or a terminal
        elif file.exists() and not os.access(file, os.W_OK):
            return Blind(path, "cannot be written: it is read-only")
        else:
            _replace(file, data)
    except OSError as error:
        return Blind(path, f"cannot be written: {error}")
    return None


def _replace(file: Path, data: bytes) -> None:
    mode = file.stat().st_mode & 0o7777 if file.exists() else 0o666 & ~_umask()
    handle, aside = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with open(handle, "wb") as out:
            out.write(data)
        os.chmod(aside, mode)
        os.replace(aside, file)
    except BaseException:
        os.unlink(aside)
        raise


def _umask() -> int:
    mask = os.umask(0)  # there is no way to read it alone
    os.umask(mask)
    return mask
