"""Workers of a DataLoader that are gone: what their end tells."""

from __future__ import annotations

from keng.explain.failure import Failure

BY_SIGNAL = {
    "Killed": "the kernel does that when memory is out: `dmesg -T` tells, and fewer workers need less, or a "
    "container is given more",
    "Segmentation fault": "a compiled library crashed in it: num_workers=0 and `python -X faulthandler` "
    "show where",
    "Aborted": "a compiled library gave up in it: what it printed stands above",
    "Illegal instruction": "a compiled library is built for another processor: `python -X faulthandler` "
    "shows which",
    "Terminated": "somebody ended it: a scheduler, a time limit, or the end of the main process",
}
KILLED = (
    "killed for memory (`dmesg -T` tells) or for a small /dev/shm in a container, or crashed (num_workers=0 "
    "shows it)"
)
UNGUARDED = 'under Windows mostly as what runs is not below if __name__ == "__main__":'


def gone_for(failure: Failure, pids: str) -> str:
    """Why workers may have ended without a word. Several at once have not begun, as where each would start
    its own."""
    who, paths = f"worker {pids} is gone without a word", [frame.path for frame in failure.frames]
    if any("\\" in path for path in paths):
        return f"{who}: {UNGUARDED}, or an import fails there; num_workers=0 shows it"
    return f"{who}: {KILLED}; {UNGUARDED}" if "," in pids and not paths else f"{who}: {KILLED}"
