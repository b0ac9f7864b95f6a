"""Who runs, and which files they hold open."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from keng.env.files import Files


class Status(NamedTuple):
    """`state` is the kernel's letter ("Z" has ended and was not asked for); `parent` is 1 for one
    whose parent has ended; `ticks` of processor time have been used; `ending` is how it ended, as
    `os.waitpid` gives it, and 0 where the process is another user's."""

    state: str
    parent: int
    ticks: int
    ending: int


class Process(NamedTuple):
    """`state` and `parent` as in its Status."""

    pid: int
    parent: int
    state: str
    command: str


def status_of(files: Files, pid: int | str) -> Status | None:
    """Nothing where there is no such process."""
    # 4161 (python train) S 1 ...: the fields from the third on, by the numbers that proc(5) gives them
    told = files.read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    numbers = {at: int(word) for at, word in enumerate(told, 3) if word.isdecimal()}
    if not told:
        return None
    ticks = numbers.get(14, 0) + numbers.get(15, 0)
    return Status(told[0], numbers.get(4, 0), ticks, numbers.get(52, 0))


def processes(files: Files) -> Iterator[Process]:
    for name in files.names("/proc"):
        if name.isdecimal():
            status = status_of(files, name) or Status("", 0, 0, 0)
            command = files.read(f"/proc/{name}/cmdline").replace("\0", " ").strip()
            yield Process(int(name), status.parent, status.state, command)


def holders(files: Files, path: str) -> list[int] | None:
    """The processes that hold a file open, by their pid. None where that cannot be determined: there is no
    process table, or one of the file's owner hides what it holds. Who has not made the file does not
    matter, so that others' processes need not be asked."""
    status = files.status(path)
    found = [pid for pid, target in _open_files(files) if target == path]
    if found:
        return found
    hidden = [folder for folder in files.unread if folder.startswith("/proc/")]
    owners = {folder: files.status(os.path.dirname(folder)) for folder in hidden}
    for folder, owner in owners.items():
        if status is not None and owner is not None and owner.st_uid != status.st_uid:
            del files.unread[folder]
        elif owner is not None:
            return None
    return [] if "self" in files.names("/proc") else None


def holders_below(files: Files, start: str) -> list[tuple[int, str]]:
    """The processes that hold a file open whose path begins so, and that path."""
    return [(pid, target) for pid, target in _open_files(files) if target.startswith(start)]


def _open_files(files: Files) -> Iterator[tuple[int, str]]:
    for name in files.names("/proc"):
        if name.isdecimal():
            folder = f"/proc/{name}/fd"
            for handle in files.names(folder):
                yield int(name), files.link(f"{folder}/{handle}")
