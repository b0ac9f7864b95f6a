"""Reads a live exception: the errors of its chain as a report, and the frames that questions are put to.

torch is never imported: an exception that it raised has brought it along.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

from keng.explain.diagnose import by_likely_cause
from keng.explain.frame import Frame
from keng.explain.inspecting.answers import Live
from keng.explain.inspecting.loader import fetched_in
from keng.explain.live import Fetched, LiveError
from keng.explain.ownership.paths import is_user
from keng.explain.reading.cleaning import as_everywhere, clean
from keng.explain.reading.flattened import HEAD
from keng.explain.reading.tracebacks import Error, Link, Report, read, traced

MOST_CAUSES = 50
MOST_FRAMES = 300


def report_of(exception: BaseException) -> Report:
    """The exception and those it came of, in the order in which Python prints them."""
    errors: list[Error] = []
    link: Link = ""
    for each, its_link in _chain(exception):
        inner = _inner(each)
        frames = [*frames_of(each), *traced(_message(each))]
        error = Error(_kind(each), _message(each), frames, "worker" if inner else link)
        errors[:0] = [error, *inner]
        link = its_link
    return Report(errors)


def look(exception: BaseException, report: Report) -> Live:
    """What can be asked of the likeliest cause."""
    torch = sys.modules.get("torch")
    cause = by_likely_cause(report.errors)[0]
    fetched: Fetched | None = None
    for each, _ in _chain(exception) if torch is not None else ():
        message, tracebacks = _message(each), list(_tracebacks(each))
        error = LiveError(message, tracebacks, torch)
        fetched = fetched or Live(error).ask(fetched_in)
        if _kind(each) == cause.kind and message == cause.message:
            return Live(error, fetched, caught=True)
    return Live(None, fetched, caught=True)


def _chain(exception: BaseException) -> Iterator[tuple[BaseException, Link]]:
    """Each exception, the last raised first, and how the one that it is followed by came of it."""
    seen: set[int] = set()
    at: BaseException | None = exception
    while at is not None and id(at) not in seen and len(seen) < MOST_CAUSES:
        seen.add(id(at))
        in_group: Any = getattr(at, "exceptions", ())
        if at.__cause__ is not None or in_group:
            yield at, "cause"
            at = at.__cause__ or in_group[0]
        else:
            yield at, "context"
            at = None if at.__suppress_context__ else at.__context__


def _kind(exception: BaseException) -> str:
    kind = type(exception)
    home = kind.__module__
    return kind.__qualname__ if home in ("builtins", "__main__") else f"{home}.{kind.__qualname__}"


def _message(exception: BaseException) -> str:
    try:
        return as_everywhere(str(exception))
    except Exception:
        return ""


def _inner(exception: BaseException) -> list[Error]:
    """The errors that a DataLoader's worker or a spawned process has sent as text."""
    message = _message(exception)
    if HEAD not in message:
        return []
    errors = read(clean(message)).errors
    return errors[1:] or errors if "Original Traceback" in message else errors


def _tracebacks(exception: BaseException) -> Iterator[TracebackType]:
    """Outermost first; the two ends of a very deep one."""
    tracebacks = []
    at = exception.__traceback__
    while at is not None:
        tracebacks.append(at)
        at = at.tb_next
    if len(tracebacks) > MOST_FRAMES:
        tracebacks[MOST_FRAMES // 2 : -MOST_FRAMES // 2] = []
    yield from tracebacks


def frames_of(exception: BaseException) -> list[Frame]:
    return [_frame(tb.tb_frame, tb.tb_lineno) for tb in _tracebacks(exception)]


def _frame(frame: FrameType, line: int) -> Frame:
    code = frame.f_code
    text = linecache.getline(code.co_filename, line, frame.f_globals).strip()
    return Frame(code.co_filename, line, code.co_name, text, is_user(code.co_filename))
