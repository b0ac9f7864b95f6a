"""Files at an address, read by ranges: of a checkpoint the headers, directories and pickles, never all of it.

fsspec opens the address. Pages are kept, so that nothing is fetched twice; what a file costs is counted.
"""

from __future__ import annotations

import io
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import EIO, ENOENT
from functools import cache
from importlib import import_module
from typing import Any

PAGE = 4096
AT_ONCE, MOST_AT_ONCE = 4, 256
"""Pages that are fetched where one is missing: twice as many each time that those which follow are wanted."""
MOST_PAGES = 64 * 1024
"""Pages that are kept: 256 MB."""
APART = 4
"""Pages between two ranges that are fetched with them rather than by a request of its own."""


class Unavailable(OSError):  # noqa: N818
    """Why an address cannot be opened: something is to be installed, or the server sends whole files only."""


class Remote(io.RawIOBase):
    """A file that can be sought in. `fetched` counts its bytes that came over the network."""

    def __init__(self, path: str) -> None:
        """Raises OSError."""
        self.path = path
        with _errors(path):
            self._system, self._name = _system(path)
            size = self._system.info(self._name).get("size")
        if not isinstance(size, int):
            raise Unavailable(EIO, "the server does not say how large it is", path)
        self.size, self.fetched = size, 0
        self._at = 0
        self._pages: dict[int, bytes] = {}
        self._fetched_to, self._step = -1, AT_ONCE

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self.size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.piece(self._at, self._at + len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        """It stays open: the next reader may want pages that were fetched."""

    def piece(self, start: int, stop: int) -> bytes:
        """Bytes `start:stop`, as far as there are any. Raises OSError."""
        start, stop = max(0, start), min(stop, self.size)
        if start >= stop:
            return b""
        first, last = start // PAGE, (stop - 1) // PAGE
        missing = [n for n in range(first, last + 1) if n not in self._pages]
        if missing:
            follows = missing[0] == self._fetched_to
            self._step = min(2 * self._step, MOST_AT_ONCE) if follows else AT_ONCE
            self._fetched_to = max(missing[-1] + 1, missing[0] + self._step)
            self._fetch([(missing[0], self._fetched_to)])
        joined = b"".join(self._pages[n] for n in range(first, last + 1))
        return joined[start - first * PAGE : stop - first * PAGE]

    def ahead(self, spans: Sequence[tuple[int, int]]) -> None:
        """Fetches what is wanted soon, all at once. Raises OSError."""
        wanted: list[tuple[int, int]] = []
        for start, stop in sorted(spans):
            first, end = max(0, start) // PAGE, (min(stop, self.size) + PAGE - 1) // PAGE
            missing = [n for n in range(first, end) if n not in self._pages]
            if missing and wanted and missing[0] - wanted[-1][1] <= APART:
                wanted[-1] = wanted[-1][0], max(wanted[-1][1], missing[-1] + 1)
            elif missing:
                wanted.append((missing[0], missing[-1] + 1))
        if wanted:
            self._fetch(wanted)

    def _fetch(self, ranges: list[tuple[int, int]]) -> None:
        if len(self._pages) > MOST_PAGES:
            self._pages.clear()
        starts = [first * PAGE for first, _ in ranges]
        stops = [min(end * PAGE, self.size) for _, end in ranges]
        with _errors(self.path):
            found = self._system.cat_ranges(
                [self._name] * len(starts), starts, stops, on_error="raise"
            )
        for start, stop, data in zip(starts, stops, found, strict=True):
            self.fetched += len(data)
            if len(data) != stop - start:
                says = "the server sends other bytes than were asked for: download the file first"
                raise Unavailable(EIO, says, self.path)
            for at in range(0, len(data), PAGE):
                self._pages[(start + at) // PAGE] = data[at : at + PAGE]


class Paged:
    """The bytes of a remote file by index and slice, in the place of a mapped file."""

    def __init__(self, file: Remote) -> None:
        self.file = file
        self._start, self._piece = 0, b""

    def __len__(self) -> int:
        return self.file.size

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            start, stop, step = key.indices(self.file.size)
            if step != 1:
                raise IndexError("pages have no steps")
            return self.file.piece(start, stop)
        at = key - self._start
        if not 0 <= at < len(self._piece):
            self._start = key // PAGE * PAGE
            self._piece = self.file.piece(self._start, self._start + PAGE)
            at = key - self._start
        return self._piece[at]

    def find(self, what: bytes, start: int, stop: int) -> int:
        """-1 where it is not found."""
        for at in range(start, stop, PAGE):
            found = self.file.piece(at, min(at + PAGE + len(what) - 1, stop)).find(what)
            if found >= 0:
                return at + found
        return -1


_open: dict[str, Remote] = {}


def opened(path: str) -> Remote:
    """The file, with the pages that were fetched of it before. Raises OSError."""
    if path not in _open:
        _open[path] = Remote(path)
    return _open[path]


def closed(path: str) -> tuple[int, int]:
    """Forgets a file, or all below a folder. Returns how many bytes of them were fetched, and of how many."""
    files = [_open.pop(name) for name in list(_open) if name == path or name.startswith(f"{path}/")]
    return sum(file.fetched for file in files), sum(file.size for file in files)


def is_folder(path: str) -> bool:
    """Raises OSError."""
    with _errors(path):
        return _type(path) == "directory"


def exists(path: str) -> bool:
    with _errors(path):
        return bool(_type(path))


def _type(path: str) -> str:
    """Empty where nothing is there. Some file systems fetch a file to say whether it exists."""
    system, name = _system(path)
    try:
        return str(system.info(name).get("type", "file"))
    except FileNotFoundError:
        return ""


def names_in(folder: str) -> list[str]:
    """Raises OSError."""
    with _errors(folder):
        system, name = _system(folder)
        found = system.ls(name, detail=False)
    return sorted(posixpath.basename(each.rstrip("/")) for each in found)


def below(folder: str) -> Iterator[tuple[str, list[str]]]:
    """Each folder below one, with the names of its files. Raises OSError."""
    with _errors(folder):
        system, name = _system(folder)
        walked = [(here, sorted(names)) for here, _, names in system.walk(name)]
    for here, names in walked:
        yield system.unstrip_protocol(here), names


@cache
def _loaded() -> Any:
    try:
        return import_module("fsspec")
    except ImportError:
        raise Unavailable(EIO, "an address needs fsspec: pip install 'keng[remote]'") from None


def _system(path: str) -> tuple[Any, str]:
    """What opens an address, and how it calls the file."""
    system, name = _loaded().core.url_to_fs(path)
    return system, name


@contextmanager
def _errors(path: str) -> Iterator[None]:
    """What libraries of all kinds raise, as an OSError."""
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(
            ENOENT, "no such file, or the server cannot be reached", path
        ) from None
    except Unavailable:
        raise
    except ImportError as error:
        raise Unavailable(EIO, f"a library is missing: {error}", path) from None
    except Exception as error:
        says = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise Unavailable(EIO, says[:300], path) from None
