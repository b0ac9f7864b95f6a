"""Tracebacks as they would be without keng."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from keng._util.texts import sentence

ROOMS = tuple(str(Path(__file__).parents[1] / room) for room in ("run", "ranks"))


def ended_with(error: BaseException) -> str:
    """How a program ended, in one line."""
    return sentence("rank_raised", error=f"{type(error).__name__}: {error}".splitlines()[0])


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


@contextmanager
def in_threads(tell: Callable[[BaseException], None]) -> Iterator[None]:
    """Meanwhile the exceptions that end threads are shown without keng's frames too, by the hook that is
    there; `tell` hears of each when it has been shown."""
    before = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        error = args.exc_value
        if error is None:  # as it was handed over by hand
            before(args)
            return
        strip(error)
        before(threading.ExceptHookArgs((type(error), error, error.__traceback__, args.thread)))
        if isinstance(error, Exception):  # SystemExit ends a thread without a word
            tell(error)

    threading.excepthook = hook
    try:
        yield
    finally:
        if threading.excepthook is hook:  # the program may have set its own
            threading.excepthook = before


def _without_keng(traceback: TracebackType | None) -> TracebackType | None:
    kept: list[TracebackType] = []
    at = traceback
    while at is not None:
        if not _is_ours(at):
            kept.append(at)
        elif kept and kept[-1].tb_frame.f_code.co_name == "handle_torch_function":
            _handed_over(kept, at.tb_next)
        at = at.tb_next
    for one, following in zip(kept, [*kept[1:], None], strict=False):
        if one.tb_next is not following:
            one.tb_next = following
    return kept[0] if kept else None


def _handed_over(kept: list[TracebackType], below: TracebackType | None) -> None:
    """Takes out the frames by which a function of torch's has asked a mode of keng's, which has called it
    again."""
    kept.pop()
    if kept and below is not None and kept[-1].tb_frame.f_code is below.tb_frame.f_code:
        kept.pop()


def _is_ours(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(ROOMS)
