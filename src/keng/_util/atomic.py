"""Files that are written next to their places and renamed, so that no moment leaves half of one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO


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


def _umask() -> int:
    mask = os.umask(0)  # there is no way to read it alone
    os.umask(mask)
    return mask
