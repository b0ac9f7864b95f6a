"""Source code: a run is resumed from a checkpoint without the optimizer's state."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code, Kind

RESUMED = {"epoch", "start_epoch", "step", "global_step", "iter", "iteration", "it"}


@finds
def resumed_without_the_optimizer(code: Code) -> Hits:
    saves = list(code.saves())
    optimizers = list(code.carrying_optimizers()) if saves else []
    for save, entries in saves if optimizers else ():
        counted = code.resumes_from(save) & RESUMED
        if not counted or "" in code.saved_keys(save):
            continue
        if code.saves_state_of(entries, Kind.OPTIMIZER):
            continue
        kind = code.text_of(optimizers[0].func).rpartition(".")[2]
        key = min(counted)
        yield code.hit(
            save, f"a run goes on from this `{key}`, and {kind} begins anew: its state is left out"
        )


@finds
def optimizer_left_in_the_file(code: Code) -> Hits:
    saves = list(code.saves())
    for save, _ in saves if saves and any(code.carrying_optimizers()) else ():
        counted = sorted(code.resumes_from(save) & RESUMED)
        for load, entry in code.optimizers_left_behind(save) if counted else ():
            says = f"a run goes on from this `{counted[0]}`, and `{entry}` is never read"
            yield code.hit(load, f"{says}: the optimizer begins anew")
