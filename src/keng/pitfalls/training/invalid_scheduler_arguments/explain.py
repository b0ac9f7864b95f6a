"""Error messages: a scheduler gets numbers that fit neither each other nor its optimizer."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.constructors import of_class

MADE = re.compile(r"\b([A-Z]\w{0,60})\(")
LENGTHS = ("T_max", "step_size", "step_size_up")
"""What schedulers divide by, and take as 0."""


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
    if not failure.raised_in.endswith("torch/optim/lr_scheduler.py"):
        return
    made = {name: takes.made for name in MADE.findall(failure.line) if (takes := of_class(name))}
    if len(made) != 1:
        yield failure.hit(say("scheduler-divides-length-t"))
        return
    kind, parameters = made.popitem()
    length = next((name for name in LENGTHS if name in parameters), None)
    if kind == "OneCycleLR":
        yield failure.hit(say("phase-without-steps"))
    elif length is not None:
        yield failure.hit(say("scheduler-divides-by", kind=kind, length=length))
