"""Recorders that a run asks for beside watching."""

from __future__ import annotations

from keng.run.bus import Recorder
from keng.run.plan import Plan
from keng.run.recorders.capsules import Keeping, Replaying
from keng.run.recorders.clock import Limit
from keng.run.recorders.scalars import Scalars
from keng.run.replay.traced_run import Tracing
from keng.run.state import Scene


def planned(plan: Plan, scene: Scene, recorders: list[Recorder]) -> list[Recorder]:
    """The recorders with those of the plan: scalars go first, as their times say; a step that is run
    again is put in place before anybody looks at it; the limit ends a step that all have seen."""
    first: list[Recorder] = []
    if plan.replay is not None:
        first.append(Replaying(scene, dict(plan.replay)))
    if plan.record is not None:
        first.append(Scalars(scene, plan.record))
    if plan.keep is not None:
        first.append(Keeping(scene, *plan.keep))
    if plan.trace is not None:
        first.append(Tracing(scene, plan.trace))
    return [*first, *recorders, *([Limit(scene, plan.steps)] if plan.steps else [])]
