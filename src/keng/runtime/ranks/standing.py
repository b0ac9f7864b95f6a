"""Where a rank is when nothing moves, and what became of one that is gone."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from keng.model import Span
from keng.ranks import Standing
from keng.runtime.places import user_frames
from keng.runtime.ranks.journal import Read

LOADER = os.path.join("torch", "utils", "data", "dataloader.py")
KILLS = Path("/sys/fs/cgroup/memory.events")


def now(rank: int, thread: int, read: Read, made: int) -> Standing:
    """`thread` is the one that runs the program."""
    top = sys._current_frames().get(thread)
    frame = next(user_frames(top), None) if top is not None else None
    where = Span(frame.f_code.co_filename, frame.f_lineno) if frame else None
    function = frame.f_code.co_name if frame else ""
    return Standing(rank, read.waits, where, function, _loads(top), made)


def _loads(frame: FrameType | None) -> bool:
    """Whether a DataLoader is being waited for."""
    while frame is not None:
        if frame.f_code.co_filename.endswith(LOADER):
            return True
        frame = frame.f_back
    return False


def oom_kills() -> int:
    """How many processes the kernel has killed for memory in this cgroup."""
    try:
        fields = dict(line.split() for line in KILLS.read_text().splitlines())
    except (OSError, ValueError):
        return 0
    return int(fields.get("oom_kill", 0))


def became_of(process: int, oom_before: int) -> str:
    """How a process of this machine ended; nothing where it runs."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        if _runs(process):
            return ""
        return "gone, out of memory" if oom_kills() > oom_before else "gone without a word"
    if fields[0] not in ("Z", "X"):
        return ""
    code = os.waitstatus_to_exitcode(int(fields[-1])) if fields[-1].isdigit() else 0
    if code >= 0:
        return f"gone with exit code {code}"
    memory = ", out of memory" if oom_kills() > oom_before else ""
    return f"killed by {signal.Signals(-code).name}{memory}"


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
