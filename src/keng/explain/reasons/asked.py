"""The reason for the error of a report: live, from its exceptions; else from the frames of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from keng.explain.operands.arguments import named_argument
from keng.explain.reading.tracebacks import Error as Told
from keng.explain.reasons.columns import column_reason
from keng.explain.reasons.levels import Level, of_frames, of_traceback
from keng.explain.reasons.reason import Error, Handled, reason_of
from keng.explain.reasons.source import Sources
from keng.explain.reasons.stated import stated_in
from keng.model import Reason

MOST_CAUSES = 6


def reason_for(error: Told, errors: Sequence[Told], raised: BaseException | None) -> Reason | None:
    """`error` is the likeliest cause of `errors`, which are in the order in which Python prints them;
    `raised` the exception that was caught, if any. Never raises."""
    try:
        column = column_reason(raised) if raised is not None else None
        if column is not None:
            return column
        chains = _live(error, raised) if raised is not None else []
        found = _first(chains or _told(error, errors)) or stated_in(error.flat)
        return found or named_argument(error.flat, error.frames)
    except Exception:
        return None


def _first(chain: list[tuple[list[Level], Error, Sources]]) -> Reason | None:
    """Of the first error that was not raised while another one was handled."""
    for levels, error, sources in chain[:MOST_CAUSES]:
        found = reason_of(levels, error, sources)
        if not isinstance(found, Handled):
            return found if found is None or _tells(found) else None
    return None


def _tells(reason: Reason) -> bool:
    """Not that a variable of the library's own is empty, or its search without result, where nothing of the
    user's led to it."""
    alone = len(reason.conditions) == 1 and reason.conditions[0].text.isidentifier()
    followed = any(each.how or each.value not in ("", "None", "''") for each in reason.values)
    if reason.kind == "search":
        return followed
    return not (reason.kind == "guard" and alone and not followed and reason.outer is None)


def _live(error: Told, raised: BaseException) -> list[tuple[list[Level], Error, Sources]]:
    """The exception that the error was read from and those that it was raised in the handling of, each with
    the levels around the `try` in front."""
    sources = Sources()
    chain = list(_chain(raised))
    first = next((n for n, each in enumerate(chain) if _is(each, error)), None)
    if first is None:
        return []
    found: list[tuple[list[Level], Error, Sources]] = []
    around: list[Level] = []
    for n, each in enumerate(chain):
        levels = of_traceback(each.__traceback__, sources)
        levels = [*_before(levels, around), *levels]
        around = levels
        if n >= first and levels:
            found.append((levels, Error(type(each).__name__, _message(each)), sources))
    return found


def _chain(raised: BaseException) -> Iterator[BaseException]:
    at: BaseException | None = raised
    seen: set[int] = set()
    while at is not None and id(at) not in seen and len(seen) < 50:
        seen.add(id(at))
        yield at
        at = at.__cause__ or at.__context__


def _is(exception: BaseException, error: Told) -> bool:
    same = type(exception).__name__ == error.kind.rpartition(".")[2]
    return same and " ".join(_message(exception).split())[:200] == error.flat[:200]


def _message(exception: BaseException) -> str:
    """Of an exception with one text that text: a KeyError prints it in quotes."""
    try:
        return str(exception)
    except Exception:
        return ""


def _before(levels: list[Level], around: list[Level]) -> list[Level]:
    """The levels of the later exception that are outside of the frame in which this one came up."""
    for n, level in enumerate(around):
        if levels and level.live is levels[0].live:
            return around[:n]
    return []


def _told(error: Told, errors: Sequence[Told]) -> list[tuple[list[Level], Error, Sources]]:
    """The error of a text, and the one before it that it was raised in the handling of."""
    sources = Sources()
    if not error.frames:
        return []
    chain = [error, *_causes(error, errors)]
    later = next((e for e in errors if e.frames and e is not error), None)
    around = of_frames(later.frames, sources) if later is not None else []
    found = []
    for each in chain:
        levels = of_frames(each.frames, sources)
        levels = [*_outside(levels, around), *levels]
        around = levels
        found.append((levels, Error(each.kind.rpartition(".")[2], each.message), sources))
    return found


def _causes(error: Told, errors: Sequence[Told]) -> Iterator[Told]:
    """The errors printed above it, as long as each led to the next."""
    at = next((n for n, each in enumerate(errors) if each is error), 0)
    for each in reversed(errors[:at]):
        if not each.link or not each.frames:
            return
        yield each


def _outside(levels: list[Level], around: list[Level]) -> list[Level]:
    """Text frames are the same if file, function and line agree; the line of a `try` need not."""
    if not levels:
        return []
    first = levels[0]
    same = (n for n, e in enumerate(around) if (e.path, e.name) == (first.path, first.name))
    at = next(same, None)
    return around[:at] if at is not None else []
