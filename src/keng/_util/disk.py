"""Files are written beside their places and renamed, so that no moment leaves half of one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from keng.model import Skipped


@contextmanager
def aside(path: str | Path) -> Iterator[BinaryIO]:
    """A file that takes its place when the block has ended, with the mode of the one that stood there;
    nothing is left where the block raises. Raises OSError."""
    from pathlib import Path  # late: most starts write nothing

    file = Path(os.path.realpath(path))
    mode = file.stat().st_mode & 0o7777 if file.exists() else 0o666 & ~_umask()
    if not file.parent.exists():  # or the error would name the file aside
        raise FileNotFoundError(ENOENT, "no such folder", os.path.dirname(path))
    # Named before it is made: Ctrl-C may come at any moment.
    name = str(file.with_name(f".{file.name}.{os.urandom(4).hex()}"))
    try:
        with open(name, "xb", opener=_for_us_alone) as out:
            yield out
        os.chmod(name, mode)
        os.replace(name, file)
    except BaseException as error:
        if getattr(error, "filename", None) == name:
            error.filename = str(path)  # type: ignore[attr-defined]
        if os.path.lexists(name):
            os.unlink(name)
        raise


def _for_us_alone(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


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
        return _cannot(path, "it is a folder")
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
        return _cannot(path, "it is read-only")
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

    return Skipped(str(path), f"cannot be written: {because}")


def why(error: Exception) -> str:
    """In the words of the system, where it has some."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return text[:1].lower() + text[1:]


def _umask() -> int:
    mask = os.umask(0)  # there is no way to read it alone
    os.umask(mask)
    return mask
