"""The lines that a process is in when C++ aborts it: gloo does so where the messages of two ranks do not fit.

Nothing of Python runs then. `faulthandler` writes the stacks from C, into a file that rank 0, or who speaks
for it, reads on the same machine.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import re
from pathlib import Path
from tempfile import mkstemp
from typing import NamedTuple

from keng.model import Span
from keng.ranks.collect.journal import DEEPEST
from keng.run.frames import OURS, is_user

FRAME = re.compile(r'  File "(?P<path>.+)", line (?P<line>\d+) in .+')
ABORTED = "Fatal Python error: Aborted"
WAITS = re.compile(r"torch[\\/](?:distributed[\\/]|autograd[\\/]graph\.py)")
"""Files of torch's in which a process waits for others; a backward pass does within C++."""


class LastWords:
    """The file stays open as long as the process lives, as `faulthandler` keeps its number. Where the program
    has switched that on itself, nothing is written."""

    def __init__(self) -> None:
        self.path = ""
        if not faulthandler.is_enabled():
            file, self.path = mkstemp(prefix="keng-rank-")
            faulthandler.enable(file)

    def close(self) -> None:
        if self.path:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
            self.path = ""


class Written(NamedTuple):
    """The user's lines, innermost first, that a process was in, if in a call of torch's that may wait for
    other ranks. `aborted` where C++ aborted it, whatever it then died of: the stacks are read while the
    program runs on, which may fail."""

    lines: tuple[Span, ...] = ()
    aborted: bool = False


def last_words(path: str, thread: int) -> Written:
    """Those of a process whose program ran in this thread. The file is removed."""
    with contextlib.suppress(OSError):
        text = Path(path).read_text("utf-8", "replace") if path else ""
        if path:
            os.unlink(path)
        return Written(_lines(text, thread), text.startswith(ABORTED))
    return Written()


def _lines(text: str, thread: int) -> tuple[Span, ...]:
    heads = re.split(r"^(?=(?:Current t|T)hread 0x)", text, flags=re.M)
    own = next((each for each in heads if re.match(rf".*hread 0x0*{thread:x}\b", each)), "")
    found = [each for line in own.splitlines() if (each := FRAME.fullmatch(line))]
    if not _waits([each["path"] for each in found]):
        return ()
    users = [each for each in found if is_user(each["path"])]
    return tuple(Span(each["path"], int(each["line"])) for each in users[:DEEPEST])


def _waits(paths: list[str]) -> bool:
    """Whether the innermost of these is a file of torch's that waits, or has just called keng: another rank
    may be in the call meanwhile."""
    at = next((n for n, path in enumerate(paths) if WAITS.search(path)), None)
    return at is not None and (at == 0 or paths[at - 1].startswith(OURS))
