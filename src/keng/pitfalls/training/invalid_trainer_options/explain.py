"""Error messages: the options of a trainer contradict each other or the run."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("saved-at-other-times")
def saved_at_other_times(failure: Failure) -> Hits:
    names = [failure.groups[key].rpartition(".")[2].lower() for key in ("eval", "save")]
    yield failure.hit(say("evaluated-saved-best-has", save=names[0], names=names[1]))


@explains("epoch-too-short")
def epoch_too_short(failure: Failure) -> Hits:
    interval, batches = failure.groups["interval"], failure.groups["batches"]
    yield failure.hit(say("epoch-has-batches-validation", interval=batches, interval_2=interval))


@explains("other-than-the-job")
def other_than_the_job(failure: Failure) -> Hits:
    yield failure.hit(
        say("trainer-slurm-job-same", asked=failure.groups["set"], asked_2=failure.groups["asked"])
    )


@explains("no-such-option")
def no_such_option(failure: Failure) -> Hits:
    came, kind, known = (failure.groups[key] for key in ("came", "kind", "known"))
    yield failure.hit(say("no-version-knows-one", known=came, kind=kind, known_2=known[:90]))
