"""A running program: the scheduler is made and never stepped."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import IdleSchedule


@watches("schedule.idle")
def stepped_by_nothing(seen: IdleSchedule) -> Hits:
    says = f"`{seen.scheduler}`, a {seen.kind}, was made here and never stepped"
    yield seen.hit(f"{says} in {seen.epochs} epochs: the rate stays as it is", epochs=seen.epochs)
