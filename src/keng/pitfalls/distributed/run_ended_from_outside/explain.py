"""Error messages: a run is ended from outside: by its terminal, a scheduler or the clock."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.distributed._shared_explain import ended_by_signal
from keng.rules import explains


@explains("launcher-was-stopped")
def launcher_was_stopped(failure: Failure) -> Hits:
    yield failure.hit(ended_by_signal(failure.groups["signal"]))


@explains("scheduler-ended-it")
def scheduler_ended_it(failure: Failure) -> Hits:
    job, why = failure.groups["job"], failure.groups["why"].lower()
    says = say("ended-by-slurm", job=job, why=why)
    yield failure.hit(says, sure=False)  # any program's job
