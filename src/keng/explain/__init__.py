"""From an error, as a text or alive, to its causes.

noise.py      takes off what terminals, loggers, ranks and notebooks put around a traceback
reading.py    a text -> the errors in it, with their frames
patterns.py   which pitfalls a message may speak of
alive.py      an exception -> the same errors, with what only the live objects can tell
whose.py      tells PyTorch's errors from others
diagnosis.py  asks the pitfalls, and the program's own source, and puts the causes in order
"""

from __future__ import annotations

from collections.abc import Iterable

from keng import catalog
from keng.model import Explanation, Pitfall

__all__ = ["live", "text"]


def text(text: str, pitfalls: Iterable[Pitfall] | None = None) -> Explanation:
    """Explains the error in a text: a message, a traceback, or a log that holds one."""
    from keng.explain.diagnosis import explained
    from keng.explain.noise import cleaned
    from keng.explain.reading import report

    return explained(report(cleaned(text)), _units(pitfalls))


def live(error: BaseException, pitfalls: Iterable[Pitfall] | None = None) -> Explanation:
    """Explains an exception from its frames. Raises nothing: where explaining fails, that is said."""
    from keng.explain.alive import seen
    from keng.explain.diagnosis import explained

    try:
        return explained(seen(error), _units(pitfalls))
    except Exception as failure:
        note = f"explaining failed with {type(failure).__name__}: {failure}"
        return Explanation(known=False, pytorch=True, error=type(error).__name__, note=note)


def _units(pitfalls: Iterable[Pitfall] | None) -> list[Pitfall]:
    return [p for p in (catalog.every() if pitfalls is None else pitfalls) if p.explainers]
