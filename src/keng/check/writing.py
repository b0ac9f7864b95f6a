"""Puts a mended text back into its file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from keng.check.fixes import Change
from keng.model import Blind


def write(change: Change) -> Blind | None:
    """Writes beside the file and renames, so that no moment leaves half a file; mode, encoding, byte
    order mark and line ends stay. A link stays a link. Says why where it cannot."""
    file = Path(os.path.realpath(change.path))
    try:
        mode = file.stat().st_mode
        if not os.access(file, os.W_OK):
            return Blind(change.path, "cannot be written: it is read-only")
        handle, aside = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with open(handle, "wb") as out:
                out.write(change.after.encode(change.encoding))
            os.chmod(aside, mode & 0o7777)
            os.replace(aside, file)
        except BaseException:
            os.unlink(aside)
            raise
    except (OSError, UnicodeEncodeError) as error:
        return Blind(change.path, f"cannot be written: {error}")
    return None
