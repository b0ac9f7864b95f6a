"""Tracebacks as they would be without keng."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

HERE = str(Path(__file__).parent)


def told(error: BaseException) -> str:
    """How a program ended, in one line."""
    return f"ended with {type(error).__name__}: {error}".splitlines()[0]


def strip(error: BaseException) -> None:
    """Takes keng's own frames out of the tracebacks of an exception and of those behind it."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        at = waiting.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        at.__traceback__ = _without_keng(at.__traceback__)
        waiting += [e for e in (at.__cause__, at.__context__) if e is not None]
        waiting += getattr(at, "exceptions", ())


def _without_keng(traceback: TracebackType | None) -> TracebackType | None:
    while traceback is not None and _is_ours(traceback):
        traceback = traceback.tb_next
    at = traceback
    while at is not None:
        while at.tb_next is not None and _is_ours(at.tb_next):
            at.tb_next = at.tb_next.tb_next
        at = at.tb_next
    return traceback


def _is_ours(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(HERE)
