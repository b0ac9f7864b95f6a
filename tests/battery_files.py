"""What a unit that inspects checkpoints claims: the files of its Bad programs show it, those of Good and
Fine programs show nothing to anyone."""

from __future__ import annotations

from battery import Battery, claim, where
from keng.ckpt.checkpoint import Checkpoint
from keng.model import Pitfall


@claim
def every_inspector_is_earned(battery: Battery, unit: Pitfall) -> None:
    if not unit.inspectors:
        return
    bads = battery.blocks(unit, "Bad")
    fired = {name for bad in bads for name in battery.run_bad(unit, bad).fired}
    for inspector in unit.inspectors:
        assert not getattr(Checkpoint("", "unknown", None), inspector.fact)
        name = inspector.function.__name__
        assert f"{unit.module}.{name}" in fired, f"no file of a Bad shows what {name} sees"


@claim
def innocent_files_are_left_alone(battery: Battery, unit: Pitfall) -> None:
    for block in battery.blocks(unit, "Good", "Fine"):
        outcome = battery.outcome(unit, battery.program(block))
        for each in outcome.filed:
            raise AssertionError(
                f"a file of {where(block)} is seen by {each.pitfall}: {each.says}\n{block.text}"
            )
