"""Source code: all ranks draw the same random numbers while they train."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.pitfalls.distributed._shared import depends_on_rank, last, rank_decides
from keng.rules import finds
from keng.source import Code
from keng.source.processes import WRAPS


@finds(mentions=WRAPS)
def one_seed_for_all(code: Code) -> Hits:
    drops = [
        w
        for w in code.processes.wraps
        if w.args and "Dropout" in str(code.modes.mode_dependent_layers(w.args[0]))
    ]
    if not drops or not code.loops.training or _seeded_by_rank(code):
        return
    for seed in _seeds(code):
        call, given = code.text_of(seed.func), code.text_of(seed.args[0])
        says = say("all-ranks-draw-same", call=call, seed=given)
        yield code.hit(seed, says, level="hint")  # it costs variety, and no result is wrong


def _seeds(code: Code) -> list[ast.Call]:
    """The calls that seed torch on every rank."""
    calls = code.calls.calls_to("torch.manual_seed", "torch.random.manual_seed")
    return [call for call in calls if call.args and not rank_decides(code, call)]


def _seeded_by_rank(code: Code) -> bool:
    """Whether some seed of the file depends on the rank."""
    seeding = [call for call in code.of(ast.Call) if "seed" in last(call.func).lower()]
    given = [a for call in seeding for a in (*call.args, *(k.value for k in call.keywords))]
    return any(depends_on_rank(code, a) for a in given)
