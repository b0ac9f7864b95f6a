"""A running program: a scheduler takes more steps than it was made for."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import HurriedSchedule


@watches("schedule.hurried")
def epochs_counted_in_batches(seen: HurriedSchedule) -> Hits:
    says = f"the cosine was made for {seen.planned} steps, as many as there were epochs, and took {seen.taken}:"
    yield seen.hit(
        f"{says} its rate goes up and down again", planned=seen.planned, taken=seen.taken
    )
