"""Files and folders of a machine, whose `/` may be any folder."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from keng._util.record import Record

MOST = 1 << 20
"""Bytes that are read of a file: what is judged here is short."""
MOST_NAMES = 20_000

ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ESRCH, errno.ELOOP, errno.EINVAL, errno.ENAMETOOLONG)
"""A process that has ended answers ESRCH."""


class Space(NamedTuple):
    """Bytes of a file system."""

    total: int
    free: int


def space_of(path: str) -> Space | None:
    try:
        told = os.statvfs(path)
    except (OSError, AttributeError):  # Windows has no statvfs
        return None
    return Space(told.f_blocks * told.f_frsize, told.f_bavail * told.f_frsize)


class Files(Record):
    """`looked` holds what has been checked since it was last emptied, `unread` what is there and
    could not be read, and why. A question about what is absent has an answer, and is no failure."""

    root: str = "/"
    environment: Mapping[str, str] = MappingProxyType({})
    measure: Callable[[str], Space | None] = space_of

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.looked: dict[str, None] = {}
        self.unread: dict[str, str] = {}
        self._texts: dict[str, str | None] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def variable(self, name: str) -> str:
        """A variable of the environment; nothing where it is not set."""
        self.looked[f"${name}"] = None
        return self.environment.get(name, "")

    def read(self, path: str) -> str:
        """The text of a regular file, the first MiB of it; nothing where there is none."""
        self.looked[path] = None
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path] or ""

    def end(self, path: str) -> str:
        """The last MiB of a text that grows, a log."""
        self.looked[path] = None
        status = self.status(path)
        return self._read(path, max(status.st_size - MOST, 0)) or "" if status else ""

    def number(self, path: str) -> int | None:
        """The whole number that a file holds: None for none, and for `max`."""
        text = self.read(path).strip()
        return int(text) if text.isdecimal() and len(text) < 20 else None

    def names(self, folder: str) -> tuple[str, ...]:
        """The names in a folder, sorted."""
        self.looked[folder] = None
        if folder not in self._names:
            self._names[folder] = self._list(folder)
        return self._names[folder]

    def exists(self, path: str) -> bool:
        self.looked[path] = None
        return os.path.lexists(self._host(path))

    def folder(self, path: str) -> bool:
        self.looked[path] = None
        return os.path.isdir(self._host(path))

    def real(self, path: str) -> str:
        """The path with its links followed, as far as they lead."""
        real = os.path.realpath(self._host(path))
        inside = os.path.realpath(self.root)
        return real if inside == "/" or not real.startswith(inside) else real[len(inside) :]

    def link(self, path: str) -> str:
        """Where a link points to; nothing for what is none."""
        try:
            return os.readlink(self._host(path))
        except (OSError, ValueError):
            return ""

    def status(self, path: str) -> os.stat_result | None:
        """Owner, mode, size and times."""
        self.looked[path] = None
        try:
            return os.stat(self._host(path))
        except (OSError, ValueError):
            return None

    def space(self, path: str) -> Space | None:
        """Bytes of the file system that a path lies on."""
        self.looked[path] = None
        return self.measure(path)

    def lines(self, path: str) -> list[list[str]]:
        """The words of each line of a table such as `/proc/mounts`."""
        return [line.split() for line in self.read(path).splitlines() if line.strip()]

    def refused(self, path: str, error: OSError) -> None:
        if error.errno not in ABSENT:
            self.unread[path] = (error.strerror or type(error).__name__).lower()

    def _host(self, path: str) -> str:
        return path if self.root == "/" else os.path.join(self.root, path.lstrip("/"))

    def _read(self, path: str, begin: int = 0) -> str | None:
        try:
            # A pipe would keep us waiting.
            if not stat.S_ISREG(os.stat(self._host(path)).st_mode):
                return None
            with open(self._host(path), "rb") as file:
                file.seek(begin)
                return file.read(MOST).decode("utf-8", "replace")
        except OSError as error:
            self.refused(path, error)
        except ValueError:  # a path with a NUL
            pass
        return None

    def _list(self, folder: str) -> tuple[str, ...]:
        try:
            return tuple(sorted(os.listdir(self._host(folder))[:MOST_NAMES]))
        except OSError as error:
            self.refused(folder, error)
        except ValueError:
            pass
        return ()
