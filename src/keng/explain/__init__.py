"""Engine: a text or a live exception -> ranked diagnoses.

`text` reads what a program printed; `live` looks at the exception itself. Neither raises: what goes
wrong in here is told in the note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from keng.explain.clean import clean
from keng.explain.diagnose import Diagnostics
from keng.explain.judge import is_pytorchs
from keng.explain.match import Patterns, patterns_of
from keng.explain.read import Report, read
from keng.explain.sources import Sources
from keng.failures import Live
from keng.model import Explanation, Pitfall

__all__ = ["live", "text"]

EMPTY = "the text is empty"
NO_ERROR = "there is no error in this text"
NOT_KNOWN = "none of the messages that keng knows is in it"
NOT_PYTORCHS = "Python or another library raised it; PyTorch has no part in it"
ERROR_WORDS = re.compile(
    r"\b(?:error|exception|fail(?:ed|ure)?|fatal|abort(?:ed)?|killed|assert(?:ion)?|core dumped|"
    r"cannot|can't|invalid|unexpected|expected|must|unable|illegal|undefined|not (?:supported|implemented|"
    r"found|available)|out of (?:memory|range|bounds))\b",
    re.IGNORECASE,
)


def text(
    text: str, pitfalls: Iterable[Pitfall] | None = None, *, source: bool = True
) -> Explanation:
    """Explains what a program printed. With `source`, the files that it names are looked at."""
    lines: list[str] = []
    try:
        lines = clean(text)
        return _explained(read(lines), lines, _patterns(pitfalls), source, Live())
    except Exception as error:
        return _failed(lines[-1] if lines else "", error)


def live(exception: BaseException, pitfalls: Iterable[Pitfall] | None = None) -> Explanation:
    """Explains an exception that has just been caught, with what its frames still hold."""
    kind = type(exception).__name__
    try:
        from keng.explain.caught import look, report_of

        report = report_of(exception)
        lines = [error.line for error in report.errors]
        return _explained(report, lines, _patterns(pitfalls), True, look(exception, report))
    except Exception as error:
        return _failed(kind, error)


def _patterns(pitfalls: Iterable[Pitfall] | None) -> Patterns:
    if pitfalls is not None:
        return patterns_of(pitfalls)
    from keng.explain import index

    return index.patterns()


def _explained(
    report: Report, lines: list[str], patterns: Patterns, source: bool, live: Live
) -> Explanation:
    if not any(line.strip() for line in lines):
        return Explanation(False, False, "", note=EMPTY)
    diagnostics = Diagnostics(patterns, report, Sources() if source else None)
    diagnoses = diagnostics.diagnoses(live)
    error = _error_line(diagnostics, report, known=bool(diagnoses))
    place = diagnostics.place
    if diagnoses:
        return Explanation(True, True, error, place, diagnoses)
    if not error:
        return Explanation(False, False, "", note=NO_ERROR)
    pytorch = not diagnostics.errors or is_pytorchs(diagnostics.errors[0])
    return Explanation(False, pytorch, error, place, note=NOT_KNOWN if pytorch else NOT_PYTORCHS)


def _error_line(diagnostics: Diagnostics, report: Report, known: bool) -> str:
    if diagnostics.errors:
        return diagnostics.errors[0].line
    said = [line.strip() for line in report.rest if line.strip()]
    telling = [line for line in said if ERROR_WORDS.search(line)]
    if telling:
        return telling[-1]
    return said[-1] if known and said else ""


def _failed(error: str, why: Exception) -> Explanation:
    return Explanation(False, True, error, note=f"keng could not read it: {type(why).__name__}")
