"""Source code: every rank writes the same file at once."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def saved_by_all(code: Code) -> Hits:
    for save, _ in code.saves():
        if not (code.runs_on_ranks(save) and code.shared_path(save)):
            continue
        if code.rank_decides(save) is False:
            yield code.hit(
                save, "every rank writes this file at once: no test of the rank stands here"
            )
