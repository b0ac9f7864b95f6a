"""Error messages: a scheduler gets numbers that fit neither each other nor its optimizer."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("one-for-each-group")
def one_for_each_group(failure: Failure) -> Hits:
    groups = failure.groups
    s = "" if groups["wants"] == "1" else "s"
    yield failure.hit(
        say(
            "optimizer-has-parameter-group",
            n=groups["wants"],
            s=s,
            came=groups["came"],
            what=groups["what"],
        )
    )


@explains("rates-of-an-old-scheduler")
def rates_of_an_old_scheduler(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(say("before-pytorch-has-no", kind=kind))


@explains("rate-of-a-plateau")
def rate_of_a_plateau(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("has-no-older-versions", name=name))


@explains("no-length")
def no_length(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/optim/lr_scheduler.py"):
        yield failure.hit(say("scheduler-divides-length-t"))
