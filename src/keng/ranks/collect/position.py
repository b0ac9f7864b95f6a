"""Where a rank is when nothing moves, and what became of one that is gone."""

from __future__ import annotations

import ast
import os
import signal
import sys
from time import time
from types import FrameType

from keng._util.texts import sentence
from keng.env.cgroups import kills
from keng.env.files import Files
from keng.env.processes import status_of
from keng.model import Span
from keng.ranks.calls import NEW_GROUP, Call, Collective, Mail, Standing
from keng.ranks.collect.journal import Read, groups_made
from keng.ranks.collect.last_words import Written
from keng.ranks.collect.python_calls import given as given_by
from keng.run.frames import user_frames
from keng.run.user_code import code_of

LOADER = os.path.join("torch", "utils", "data", "dataloader.py")
GROUPS = os.path.join("torch", "distributed", "distributed_c10d.py")


def now(rank: int, thread: int, read: Read, mail: Mail, made: int) -> Standing:
    """`thread` is the one that runs the program."""
    top = sys._current_frames().get(thread)
    frame = next(user_frames(top), None) if top is not None else None
    where = Span(frame.f_code.co_filename, frame.f_lineno) if frame else None
    function = frame.f_code.co_name if frame else ""
    waits = read.waits
    if not waits and _is_within(top, GROUPS, NEW_GROUP):
        lines = (where,) if where else ()
        waits = (Call("", groups_made(), Collective(NEW_GROUP, lines=lines, function=function)),)
    loads = _is_within(top, LOADER)
    given = _arguments(top) if waits else ""
    polls = frame is not None and not waits and _polls(frame)
    return Standing(
        rank, waits, where, function, loads, made, at=time(), mail=mail, polls=polls, given=given
    )


def _polls(frame: FrameType) -> bool:
    """Whether the line is in a `while` loop that only sleeps until its condition changes."""
    code, line = code_of(frame), frame.f_lineno
    loops = code.of(ast.While) if code is not None else []
    around = [loop for loop in loops if loop.lineno <= line <= (loop.end_lineno or line)]
    innermost = max(around, key=lambda loop: loop.lineno, default=None)
    return innermost is not None and all(map(_only_waits, innermost.body))


def _only_waits(node: ast.stmt) -> bool:
    match node:
        case ast.Pass() | ast.Continue():
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in ("sleep", "wait", "print")
    return False


def _arguments(frame: FrameType | None) -> str:
    """The arguments of the collective that a function of torch's is in."""
    while frame is not None:
        code = frame.f_code
        if code.co_filename.endswith(GROUPS) and "opts" in code.co_varnames:
            return given_by(frame.f_locals.get("opts"))
        frame = frame.f_back
    return ""


def _is_within(frame: FrameType | None, file: str, function: str = "") -> bool:
    """Whether a file's code is being run, or one function of it."""
    while frame is not None:
        code = frame.f_code
        if code.co_filename.endswith(file) and function in ("", code.co_name):
            return True
        frame = frame.f_back
    return False


def became_of(process: int, killed_before: int, files: Files | None = None) -> str:
    """How a process of this machine ended; nothing where it runs. `killed_before` are the processes
    that the kernel had killed for memory when it began."""
    files = files or Files()
    out_of_memory = kills(files) > killed_before
    status = status_of(files, process)
    if status is None:
        if _runs(process):
            return ""
        return sentence("rank_gone_out_of_memory" if out_of_memory else "rank_gone")
    if status.state not in ("Z", "X"):
        return ""
    code = os.waitstatus_to_exitcode(status.ending)
    if code >= 0:
        return sentence("rank_exited", code=code)
    by_memory = out_of_memory and -code == signal.SIGKILL
    id = "rank_killed_out_of_memory" if by_memory else "rank_killed"
    return sentence(id, signal=signal.Signals(-code).name)


def gone_by(words: Written, gone: str) -> str:
    """How a process ended that has left these words: an abort may have been overtaken by another end."""
    return sentence("rank_killed", signal=signal.SIGABRT.name) if words.aborted else gone


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
