"""A running program: the scheduler steps before the optimizer."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import SchedulerStep, UnfinishedSchedule


@watches("scheduler.step")
def stepped_first(schedule: SchedulerStep) -> Hits:
    if schedule.early:
        says = f"`{schedule.scheduler}` steps before its optimizer has"
        yield schedule.hit(f"{says}: the first rate is never used", rate=max(schedule.rates))


@watches("schedule.unfinished")
def planned_for_batches(seen: UnfinishedSchedule) -> Hits:
    says = f"`{seen.scheduler}` was made for {seen.planned} steps, as many as the optimizer took,"
    says = f"{says} and took {seen.taken} itself: it was meant to step with each batch"
    yield seen.hit(says, where=seen.where, planned=seen.planned, taken=seen.taken)
