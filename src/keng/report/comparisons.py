"""What `keng run --compare` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from keng.report.findings import place
from keng.report.frames import Reader, frame
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words

if TYPE_CHECKING:
    from keng.run.comparison import Comparison, Difference


def lines(comparison: Comparison, read: Reader, words: Words, width: int) -> list[Line]:
    """Nothing for a rank that another one reports for."""
    if comparison.refused == "other-rank":
        return []
    within = words("within", what=words("step", step=comparison.step))
    found = comparison.difference
    if found is None:
        return paragraph(_agreed(comparison, words) + within, width, [Piece("keng: ", "dim")])
    at = [Piece(place(found.where), "place"), Piece(": ")] if found.where is not None else []
    says = _differs(comparison, found, words)
    head = [Piece("keng: ", "dim"), *at]
    return [
        *paragraph(says + within, width, head),
        *(frame(found.where, read, width) if found.where is not None else []),
    ]


def _agreed(comparison: Comparison, words: Words) -> str:
    way = words(f"way_{comparison.way}")
    if comparison.refused:
        return words(f"uncompared_{comparison.refused}", way=way, detail=comparison.detail)
    share = f"{comparison.largest:.2g}"
    return words("compared_same", n=comparison.values, model=comparison.model, way=way, share=share)


def _differs(comparison: Comparison, found: Difference, words: Words) -> str:
    path = ".".join(filter(None, (comparison.model, found.module)))
    given: dict[str, Any] = {
        "module": f"`{path}` ({found.kind})",
        "way": words(f"way_{comparison.way}"),
        "ours": f"{found.ours:.6g}",
        "other": f"{found.other:.6g}",
        "limit": f"{found.limit:.2g}",
        "operation": f"`{found.operation}`",
    }
    kind = "before" if found.before else "operation" if found.operation else "after"
    return words(f"compared_{kind}", **given)
