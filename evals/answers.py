"""What keng made of one question, and the sums of a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from evals.marks import ANYWHERE, Mark

Place = tuple[str, int, str]
"""A finding: path, line, pitfall."""


@dataclass(frozen=True)
class Answer:
    """The judgement of one program, machine or report. Texts say which fault or finding is counted."""

    name: str
    faulty: bool
    first: list[str] = field(default_factory=list)
    """Faults named at their line; of a report, the cause named first."""
    named: list[str] = field(default_factory=list)
    """Faults named at another line; of a report, second or third."""
    missed: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    """Findings without a mark: false alarms where nothing is wrong."""
    notes: list[str] = field(default_factory=list)
    """Counted, and shown in a column each: "output changed", "claimed"."""
    said: str = ""


@dataclass(frozen=True)
class Score:
    """The sums of a set."""

    cases: int
    named: int
    first: int
    clean: int
    unmarked: int
    """Findings without a mark in faulty programs: each is false, or true and not planted."""
    alarms: int
    notes: dict[str, int]


def score(answers: Iterable[Answer]) -> Score:
    all_of = list(answers)
    faulty = [each for each in all_of if each.faulty]
    clean = [each for each in all_of if not each.faulty]
    first, named, missed = (
        sum(len(getattr(each, kind)) for each in faulty) for kind in ("first", "named", "missed")
    )
    return Score(
        cases=first + named + missed,
        named=first + named,
        first=first,
        clean=len(clean),
        unmarked=sum(len(each.beside) for each in faulty),
        alarms=sum(len(each.beside) for each in clean),
        notes=dict(Counter(note for each in all_of for note in each.notes)),
    )


def failures(result: Score, accepted: dict[str, Any]) -> list[str]:
    """Why a set fails: a finding where nothing is wrong, or worse than its manifest accepts."""
    changed = result.notes.get("output changed", 0)
    limits: list[tuple[bool, str]] = [
        (result.alarms > 0, f"{result.alarms} false alarms"),
        (changed > 0, f"{changed} outputs changed"),
        (
            result.named < accepted.get("named", 0),
            f"{result.named} named, {accepted.get('named')} wanted",
        ),
        (
            result.first < accepted.get("first", 0),
            f"{result.first} named first, {accepted.get('first')} wanted",
        ),
        (
            result.unmarked > accepted.get("unmarked", result.unmarked),
            f"{result.unmarked} findings without a mark, {accepted.get('unmarked')} accepted",
        ),
    ]
    return [text for failed, text in limits if failed]


def judge_each(name: str, faulty: bool, marks: list[Mark], found: set[Place]) -> Answer:
    """Judges a program with several faults: a finding names one, at its line before elsewhere in its file."""
    left = set(found)
    first: list[Mark] = []
    for mark in marks:
        at = {(mark.path, mark.line, pitfall) for pitfall in mark.names} & left
        first += [mark] if at else []
        left -= at
    named: list[Mark] = []
    rest = list((Counter(marks) - Counter(first)).elements())
    for mark in rest:
        near = sorted(f for f in left if f[0] == mark.path and f[2] in mark.names)
        named += [mark] if near else []
        left -= {*near[:1]}
    missed = (Counter(rest) - Counter(named)).elements()
    return Answer(
        name, faulty, _texts(first), _texts(named), _texts(missed), [_text(f) for f in sorted(left)]
    )


def judge_one(
    name: str, faulty: bool, marks: list[Mark], found: list[Place], **more: Any
) -> Answer:
    """Judges a program with one fault, for which any of its marks will do. Paths are names of files."""
    names = frozenset[str]().union(*(mark.names for mark in marks))
    right = [each for each in found if each[2] in names]
    verdict = "first" if any(_at(each, marks) for each in right) else "named" if right else "missed"
    wanted = [" or ".join(sorted(names)) or "-"] if faulty else []
    beside = [_text(each) for each in found if each not in right]
    return Answer(name, faulty, beside=beside, **{verdict: wanted, **more})


def _at(place: Place, marks: list[Mark]) -> bool:
    path, line, pitfall = place
    return any(
        pitfall in mark.names
        and (mark.line == ANYWHERE or (mark.path.rpartition("/")[2], mark.line) == (path, line))
        for mark in marks
    )


def _texts(marks: Iterable[Mark]) -> list[str]:
    return [str(mark) for mark in marks]


def _text(place: Place) -> str:
    path, line, pitfall = place
    return f"{path}:{line}: {pitfall}"
