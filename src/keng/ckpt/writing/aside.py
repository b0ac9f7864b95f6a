"""A file that is written beside its place and takes it when it is whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def aside(path: str) -> Iterator[BinaryIO]:
    """Nothing is left where the block raises. Raises OSError."""
    file = Path(os.path.realpath(path))
    mask = os.umask(0)  # there is no way to read it alone
    os.umask(mask)
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with open(handle, "wb") as out:
            yield out
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
