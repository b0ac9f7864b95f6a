"""Source code: the scheduler steps before the optimizer."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def scheduled_first(code: Code) -> Hits:
    for loop in code.loops:
        for schedule, after in code.scheduled_first(loop):
            edits = code.moved_after(code.statement(schedule), after)
            fix = Fix("Step the scheduler after the optimizer", edits) if edits else None
            name = code.text_of(code.receiver(schedule))
            says = f"`{name}` steps before the optimizer, so its first learning rate is never used"
            yield code.hit(schedule, says, fix=fix)


@finds
def plateau_without_its_metric(code: Code) -> Hits:
    for call in code.plateaus_without_metric():
        name = code.text_of(code.receiver(call))
        yield code.hit(call, f"`{name}` wants the metric that it watches: this raises a TypeError")


@finds
def batches_counted_in_epochs(code: Code) -> Hits:
    for call, warms_up in code.cycles_by_epoch():
        says = f"`{code.text_of(code.receiver(call))}` was made for a step a batch and takes one"
        left = "it never leaves warm-up" if warms_up else "it hardly moves"
        yield code.hit(call, f"{says} an epoch: {left}")
