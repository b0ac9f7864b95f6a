"""Source code: every rank writes the same file at once."""

from __future__ import annotations

from keng.model import Hits, say
from keng.pitfalls.distributed._shared import rank_decides, shared_path
from keng.rules import finds
from keng.source import Code


@finds(mentions=["torch.save"])
def saved_by_all(code: Code) -> Hits:
    for save, _ in code.states.saves():
        if not (code.processes.ranks_executing(save) and shared_path(code, save)):
            continue
        if rank_decides(code, save) is False:
            yield code.hit(save, say("every-rank-writes-file"))
