"""Recorders that a run asks for beside watching."""

from __future__ import annotations

from keng.run.plan import Plan
from keng.run.recorder import Recorder
from keng.run.recorders.capsules import Keeping, Replaying
from keng.run.recorders.clock import Limit
from keng.run.recorders.scalars import Scalars
from keng.run.replay.traced_run import Tracing
from keng.run.state import RunState


def planned(plan: Plan, run: RunState, recorders: list[Recorder]) -> list[Recorder]:
    """The recorders with those of the plan: scalars go first, as their times say; a step that is run
    again is put in place before anybody looks at it; the limit ends a step that all have seen."""
    first: list[Recorder] = []
    if plan.replay is not None:
        first.append(Replaying(run, dict(plan.replay)))
    if plan.record is not None:
        first.append(Scalars(run, plan.record))
    if plan.keep is not None:
        first.append(Keeping(run, *plan.keep))
    if plan.trace is not None:
        first.append(Tracing(run, plan.trace))
    return [*first, *recorders, *([Limit(run, plan.steps)] if plan.steps else [])]
