"""An explanation of an error: the cause first, at most fifteen lines on the first screen."""

from __future__ import annotations

from collections.abc import Mapping

from keng.model import Diagnosis, Explanation
from keng.report.findings import fix_lines, meaning, place
from keng.report.frames import Reader, frame
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words

Told = tuple[Explanation, int, int]
"""An error of a log: the explanation, the line of its first place, and how often it comes."""

TALLEST = 15
TALLEST_FIX = 4
MOST_OTHERS = 2


def first_screen(
    explanation: Explanation,
    cure: str,
    titles: Mapping[str, str],
    read: Reader,
    words: Words,
    width: int,
) -> list[Line]:
    """`cure` is what the page of the likeliest pitfall says is to be done, `titles` the names that pages
    give their pitfalls, where they are in another language than the sentences."""
    if not explanation.diagnoses:
        return _unknown(explanation, read, words, width)
    best, *others = explanation.diagnoses
    where = best.hit.where or explanation.place
    head = [Piece(_sureness(best, words), "error"), Piece(words.colon)]
    lines = paragraph(best.hit.says, width, head)[:3]
    if titles.get(best.pitfall):
        lines += meaning(titles[best.pitfall], words, width)
    if where is not None:
        lines.append([Piece("  --> "), Piece(place(where), "place")])
        lines += frame(where, read, width, around=0)
    if best.hit.fix is not None:
        lines += fix_lines(best.hit.fix, where, read, words, width, TALLEST_FIX)[: TALLEST_FIX + 1]
    elif cure:
        lines += paragraph(cure, width, [Piece(f"  {words('cure')}{words.colon}", "dim")])[:3]
    more = [[Piece(f"  {words('more')}{words.colon}", "dim"), _command(best)]]
    rest = [*_why(best, words, width), *_others(others, titles, words, width)]
    return lines + rest[: TALLEST - len(lines) - len(more)] + more


def _unknown(explanation: Explanation, read: Reader, words: Words, width: int) -> list[Line]:
    lines: list[Line] = []
    if not explanation.error:
        note = explanation.note if words.lang == "en" else ""
        return paragraph(note or words("no_error"), width, [])
    says = words("not_known" if explanation.pytorch else "not_pytorch")
    lines += paragraph(says, width, [], "warning")
    lines += paragraph(explanation.error, width, [Piece("  ")])[:3]
    if explanation.place is not None:
        lines.append([Piece("  --> "), Piece(place(explanation.place), "place")])
        lines += frame(explanation.place, read, width, around=0)
    if explanation.note:
        lines += paragraph(explanation.note, width, [Piece("  ")])[:4]
    return lines[:TALLEST]


def _sureness(diagnosis: Diagnosis, words: Words) -> str:
    sure = diagnosis.confidence
    return words("certain" if sure >= 0.9 else "likely" if sure >= 0.6 else "possible")


def _why(diagnosis: Diagnosis, words: Words, width: int) -> list[Line]:
    if not diagnosis.why:
        return []
    text = "; ".join(map(words.phrase, diagnosis.why))
    return paragraph(text, width, [Piece(f"  {words('why')}{words.colon}", "dim")])[:3]


def _others(
    diagnoses: list[Diagnosis], titles: Mapping[str, str], words: Words, width: int
) -> list[Line]:
    lines = []
    for each in diagnoses[:MOST_OTHERS]:
        head = [Piece(f"  {words('also')} "), Piece(each.pitfall, "name"), Piece(words.colon)]
        lines += paragraph(titles.get(each.pitfall) or each.hit.says, width, head)[:2]
    return lines


def _command(diagnosis: Diagnosis) -> Piece:
    return Piece(f"keng explain {diagnosis.pitfall}", "command")


def same(one: Explanation, other: Explanation) -> bool:
    """Whether two errors have one cause."""
    if one.diagnoses and other.diagnoses:
        return one.diagnoses[0].pitfall == other.diagnoses[0].pitfall
    return one.error == other.error


def rest_of_log(told: list[Told], words: Words, width: int) -> list[Line]:
    """What else a log tells, each distinct error in a line or two."""
    if not told:
        return []
    lines: list[Line] = [[], [Piece(words("rest_of_log"), "name")]]
    for explanation, line, times in told:
        head = [Piece(f"  {words('log_line', times, line=line)}{words.colon}", "dim")]
        best = explanation.diagnoses[:1]
        head += [Piece(best[0].pitfall, "name"), Piece(words.colon)] if best else []
        lines += paragraph(best[0].hit.says if best else explanation.error, width, head)[:2]
    return lines
