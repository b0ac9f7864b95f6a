"""What a control group grants, in both versions of the kernel's interface."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keng.env.files import Files

HOME = "/sys/fs/cgroup"
UNLIMITED = 1 << 60
"""Version 1 writes "no limit" as a very large number of bytes."""


def memory(files: Files) -> tuple[int, str] | None:
    """The least limit of memory in bytes, and the file that tells it."""
    names = {"": "memory.max", "memory": "memory.limit_in_bytes"}
    told = [(files.number(file), file) for file in _files(files, names)]
    return min(((n, file) for n, file in told if n and n < UNLIMITED), default=None)


def processors(files: Files) -> tuple[float, str] | None:
    """How many processors' time is granted, and the file that tells it."""
    told = []
    for file in _files(files, {"": "cpu.max", "cpu": "cpu.cfs_quota_us"}):
        words = files.read(file).split()
        if file.endswith("quota_us"):
            words += [files.read(file.replace("quota", "period")).strip()]
        if len(words) == 2 and all(re.fullmatch(r"\d{1,15}", word) for word in words):
            quota, period = map(int, words)
            told += [(quota / period, file)] if quota and period else []
    return min(told, default=None)


def allowed(files: Files) -> tuple[int, str] | None:
    """How many processors this process may run on, and the file that tells it."""
    file = "/proc/self/status"
    found = re.search(r"^Cpus_allowed_list:\s*([\d,-]{1,4000})$", files.read(file), re.M)
    ends = [part.split("-") for part in found[1].split(",")] if found else []
    if not ends or not all(end.isdecimal() for pair in ends for end in pair):
        return None
    return sum(int(pair[-1]) - int(pair[0]) + 1 for pair in ends), file


def killed(files: Files) -> tuple[int, str] | None:
    """How many processes of this group were killed for want of memory, and the file that tells it."""
    for file in _files(files, {"": "memory.events", "memory": "memory.oom_control"}):
        found = re.search(r"^oom_kill (\d{1,12})$", files.read(file), re.M)
        if found is not None:
            return int(found[1]), file
    return None


def kills(files: Files) -> int:
    """How many processes were killed so until now: of this group or, where it does not tell, on the
    whole machine."""
    if (told := killed(files)) is not None:
        return told[0]
    found = re.search(r"^oom_kill (\d{1,12})$", files.read("/proc/vmstat"), re.M)
    return int(found[1]) if found else 0


def _files(files: Files, names: dict[str, str]) -> Iterator[str]:
    """A file of the group of this process and of those above it, by controller; "" is version 2."""
    for line in files.read("/proc/self/cgroup").splitlines():
        _, controllers, group = (*line.split(":", 2), "", "")[:3]
        for controller in controllers.split(","):
            # "cpu,cpuacct" lie together, and in a container there may be no link "cpu" next to them.
            for folder in dict.fromkeys((controller, controllers)) if controller in names else ():
                base = f"{HOME}/{folder}".rstrip("/")
                for above in _upwards(group):
                    yield f"{base}{above}/{names[controller]}"


def _upwards(group: str) -> Iterator[str]:
    parts = [part for part in group.split("/") if part and part != ".."][:20]
    for n in range(len(parts), -1, -1):
        yield "".join(f"/{part}" for part in parts[:n])
