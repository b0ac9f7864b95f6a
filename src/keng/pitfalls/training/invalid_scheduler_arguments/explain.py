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


@explains("no-length")
def no_length(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/optim/lr_scheduler.py"):
        yield failure.hit(say("scheduler-divides-length-t"))
