"""Asks the pitfalls, and the program's own source, and puts the causes in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from keng.explain.patterns import Match, matching
from keng.explain.reading import Error, Report
from keng.explain.whose import of_pytorch
from keng.model import Blind, Diagnosis, Explanation, Hit, Pitfall, Span
from keng.moments import Failure, Frame
from keng.page import page_of
from keng.source import Code, Project

SURE, UNSURE = 0.75, 0.35
SEEN_IN_SOURCE = 0.4
MOST = 0.95
EARLIER = 0.8
"""Weight of an error that was being handled when the last one came."""
BESIDE = 0.5
"""Weight of what stands outside of all tracebacks."""
SPAN_OF_LOOSE = 400_000

Weighed = tuple[Error, float]


def explained(report: Report, pitfalls: list[Pitfall]) -> Explanation:
    """The causes that the pitfalls see in a report, best first."""
    candidates = list(_candidates(report))
    if not candidates:
        note = "there is no error in this text" if report.loose.strip() else "the text is empty"
        return Explanation(known=False, pytorch=False, error="", note=note)
    last = next((e for e, _ in candidates if e.final), candidates[0][0])
    found = [d for error, weight in candidates for d in _diagnoses(error, weight, pitfalls)]
    best = _distinct(sorted(found, key=lambda d: -d.confidence))
    frame = last.user_frame
    place = Span(frame.path, frame.line) if frame else None
    ours = bool(best) or any(of_pytorch(error) for error, _ in candidates)
    return Explanation(bool(best), ours, last.line, place, tuple(best))


def _candidates(report: Report) -> Iterator[Weighed]:
    """The errors of a report, the last first, and the loose lines as if they were one. A CUDA assertion
    stands above the traceback and is the true cause of what the traceback tells."""
    last = report.errors[-1] if report.errors else None
    asserted = last is not None and "device-side assert" in last.message
    for error in reversed(report.errors):
        yield error, (1.0 if error.final and not asserted else EARLIER)
    loose = report.loose[-SPAN_OF_LOOSE:]
    if "Assertion" in loose or "rror" in loose or "Killed" in loose:
        frames = last.frames if last is not None else ()
        yield Error("", loose, frames), (1.0 if asserted or last is None else BESIDE)


def _diagnoses(error: Error, weight: float, pitfalls: list[Pitfall]) -> Iterator[Diagnosis]:
    for match in matching(f"{error.kind}: {error.message}", pitfalls):
        code = _source(error.user_frame)
        for hit in _hits(error, match, code):
            confidence = SURE if hit.sure else UNSURE
            why = [f"the message is one that {match.pitfall.name} raises"]
            seen = _seen_in_source(match.pitfall, error, code)
            if seen is not None:
                confidence += SEEN_IN_SOURCE
                why.append("the source shows it")
                fix = seen.fix or hit.fix
                hit = replace(hit, says=seen.says, where=seen.where, fix=fix)
            yield Diagnosis(
                match.pitfall.name, round(min(confidence, MOST) * weight, 2), hit, tuple(why)
            )


def _hits(error: Error, match: Match, code: Code | None) -> Iterator[Hit]:
    frame = error.user_frame
    failure = Failure(
        kind=error.kind,
        message=error.message,
        groups=match.groups,
        frames=error.frames,
        place=Span(frame.path, frame.line) if frame else None,
        live=error.live,
        code=code,
    )
    if match.explainer.function is not None:
        yield from match.explainer.function(failure)
        return
    title = page_of(match.pitfall).title.rstrip(".")
    yield failure.hit(title[:1].lower() + title[1:])


def _source(frame: Frame | None) -> Code | None:
    """The user's own file, where it is here and still holds the line of the traceback."""
    if frame is None:
        return None
    path = Path(frame.path)
    try:
        code = Project(path.parent).read(path) if path.is_file() else None
    except OSError:
        return None
    if code is None or isinstance(code, Blind) or frame.line > len(code.source.starts):
        return None
    same = not frame.text or code.source.line(frame.line).strip() == frame.text
    return code if same else None


def _seen_in_source(pitfall: Pitfall, error: Error, code: Code | None) -> Hit | None:
    """What the pitfall's own finder sees in the file, nearest before the line that failed."""
    frame = error.user_frame
    if code is None or frame is None:
        return None
    hits = [hit for finder in pitfall.finders for hit in finder.function(code) if hit.sure]
    before = [hit for hit in hits if hit.where is not None and hit.where.line <= frame.line]
    return max(before, key=lambda hit: hit.where.line if hit.where else 0, default=None)


def _distinct(diagnoses: Iterable[Diagnosis]) -> list[Diagnosis]:
    """Each pitfall once, with its best."""
    found: dict[str, Diagnosis] = {}
    for diagnosis in diagnoses:
        found.setdefault(diagnosis.pitfall, diagnosis)
    return list(found.values())
