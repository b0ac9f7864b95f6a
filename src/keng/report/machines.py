"""What is said of a machine next to the findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from keng.model import Finding
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words

MOST = 4
"""Places that are named of those that a check looked at."""
TALLEST = 3


def sound(pitfall: str, check: str, looked: Sequence[str], words: Words, width: int) -> list[Line]:
    """A check that found nothing, by its pitfall and its own name, and where it looked."""
    there = ", ".join(looked[:MOST]) + (" ..." if len(looked) > MOST else "")
    head = [
        Piece(words("sound"), "added"),
        Piece(" "),
        Piece(pitfall, "name"),
        Piece(f" ({check}){words.colon}{words('looked')} "),
    ]
    lines = paragraph(there, width, head, "dim")
    cut: Line = [Piece(" ...", "dim")] if len(lines) > TALLEST else []
    return [*lines[: TALLEST - 1], *([*line, *cut] for line in lines[TALLEST - 1 : TALLEST])]


def answers(found: Iterable[Finding], words: Words, width: int) -> Iterable[Line]:
    """What this machine tells of an error that is explained."""
    for finding in found:
        hit = finding.hit
        yield from paragraph(hit.says, width, [Piece(words("here") + words.colon, "warning")])[
            :TALLEST
        ]
        seen = ", ".join(f"{name} {value}" for name, value in hit.evidence.items())
        label = Piece(f"  {words('evidence')}{words.colon}", "dim")
        yield from paragraph(seen, width, [label])[:TALLEST]
        if hit.fix is not None:
            yield [Piece(f"  {words('fix')}{words.colon}", "dim"), Piece(hit.fix.title, "command")]
