"""What a unit that inspects checkpoints claims: the files of its Bad programs show it, those of Good and
Fine programs show nothing to anyone."""

from __future__ import annotations

from keng.battery.engine import Battery, claim, on, where, with_cases
from keng.ckpt.checkpoint import Checkpoint
from keng.model import Pitfall


@claim(on("ckpt"))
def every_inspector_is_earned(battery: Battery, unit: Pitfall) -> None:
    bads = battery.runnable(unit, "Bad")
    fired = {name for bad in bads for name in battery.run_bad(unit, bad).fired}
    for inspector in unit.inspectors:
        assert not getattr(Checkpoint("", "unknown", None), inspector.fact)
        name = inspector.function.__name__
        assert f"{unit.name}.{name}" in fired, f"no file of a Bad shows what {name} sees"


@claim(with_cases("Good", "Fine"))
def innocent_files_are_left_alone(battery: Battery, unit: Pitfall) -> None:
    for case in battery.runnable(unit, "Good", "Fine"):
        outcome = battery.outcome(case, battery.program(case))
        for each in outcome.filed:
            raise AssertionError(
                f"a file of {where(case)} is seen by {each.pitfall}: {each.says}\n{case.text}"
            )
