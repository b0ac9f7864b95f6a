"""Source code: all ranks draw the same random numbers while they train."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def one_seed_for_all(code: Code) -> Hits:
    drops = [w for w in code.wraps if w.args and "Dropout" in str(code.mode_layers(w.args[0]))]
    if not drops or not code.training_loops or code.seeded_by_rank():
        return
    for seed in code.seeds():
        yield code.hit(seed, "all ranks draw the same from here: dropout drops the same on each")
