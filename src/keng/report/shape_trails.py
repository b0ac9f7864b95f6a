"""The shapes on the way to an operand that failed, a line of the program each."""

from __future__ import annotations

from collections.abc import Sequence

from keng.model import ShapeStep, ShapeTrail
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words

TALLEST = 7
LONGEST_WAY = 46
"""Characters of the operations of a line; of a longer one the ends are printed."""


def lines_of(trail: ShapeTrail, words: Words, width: int, room: int = TALLEST) -> list[Line]:
    """The function and its inputs, the lines that made shapes, and the one that failed. Where there is less
    room, the lines with a note come first, then the last ones."""
    room = min(room, TALLEST)
    passes = _passes(trail, words)
    last = [_step(trail.failing, trail, words, failed=True)]
    last += [[Piece(f"  {passes}")]] if passes and room > 2 else []
    head = paragraph(
        _head(trail, words), width, [Piece(f"  {words('shapes')}{words.colon}", "dim")]
    )
    kept = _chosen(trail.steps, room - len(last) - 1)
    lines = [_step(each, trail, words) for each in kept]
    whole = [*head[:1], *lines, *last]
    return [_cut(line, width) for line in (whole if len(whole) <= room else last[:room])]


def _chosen(steps: Sequence[ShapeStep], room: int) -> list[ShapeStep]:
    """In their order: those with a note, then the last ones."""
    ranked = sorted(range(len(steps)), key=lambda n: (not steps[n].note, -n))
    return [steps[n] for n in sorted(ranked[: max(room, 0)])]


def _head(trail: ShapeTrail, words: Words) -> str:
    given = words.comma.join(f"`{name}` {shape}" for name, shape in trail.given)
    if not given:
        return f"`{trail.function}`"
    return words("shapes_with", function=trail.function, given=given)


def _step(step: ShapeStep, trail: ShapeTrail, words: Words, failed: bool = False) -> Line:
    way = " -> ".join(f"{name} {shape}".strip() for name, shape in step.made)
    if len(way) > LONGEST_WAY:
        first, last = (f"{name} {shape}" for name, shape in (step.made[0], step.made[-1]))
        way = f"{first} -> ... -> {last}" if len(step.made) > 2 else way
    if failed:
        way = words("shapes_fail", operation=way, operands=words.comma.join(trail.operands))
    other = step.where.path != trail.path
    place = f"{step.where.path.rpartition('/')[2]}:{step.where.line}" if other else step.where.line
    note = [Piece(f"{words.semicolon}{step.note}", "warning")] if step.note else []
    return [Piece(f"  {place:>5}  ", "place"), Piece(way), *note]


def _passes(trail: ShapeTrail, words: Words) -> str:
    if not trail.passes:
        return ""
    given = words.comma.join(f"`{name}` {shape}" for name, shape in trail.passes)
    return words("shapes_pass", given=given)


def _cut(line: Line, width: int) -> Line:
    """A line is a line: the end of a long one is left out."""
    left = width
    kept: Line = []
    for piece in line:
        text = piece.text if len(piece.text) <= left else f"{piece.text[: max(left - 4, 0)]} ..."
        if left > 4:
            kept.append(Piece(text, piece.style))
        left -= len(text)
    return kept
