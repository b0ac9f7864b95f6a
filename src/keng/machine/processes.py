"""Who runs, and which files they hold open."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from keng.machine.files import Files


class Process(NamedTuple):
    """`state` is the kernel's letter ("Z" has ended and was not asked for); `parent` is 1 for one
    whose parent has ended."""

    pid: int
    parent: int
    state: str
    command: str


def processes(files: Files) -> Iterator[Process]:
    for name in files.names("/proc"):
        if name.isdecimal():
            # 4161 (python train) S 1 ...
            told = files.read(f"/proc/{name}/stat").rpartition(")")[2].split()
            parent = told[1] if len(told) > 1 and told[1].isdecimal() else "0"
            command = files.read(f"/proc/{name}/cmdline").replace("\0", " ").strip()
            yield Process(int(name), int(parent), told[0] if told else "", command)


def holders(files: Files, path: str) -> list[int] | None:
    """The processes that hold a file open, by their pid. None where that cannot be told: there is no
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
