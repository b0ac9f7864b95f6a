"""Error messages: the value that a trainer watches is never reported under that name."""

from __future__ import annotations

from keng.explain.advice.steps import unseen
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("never-logged")
def never_logged(failure: Failure) -> Hits:
    name, there = failure.groups["name"], failure.groups.get("there")
    known = f", and these are: {there}" if there else ""
    yield failure.hit(f"`{name}` is watched and never logged{known}; {unseen(name, there or '')}")


@explains("nothing-named")
def nothing_named(failure: Failure) -> Hits:
    yield failure.hit(
        "ReduceLROnPlateau follows a value, and none is named: `monitor` with a name that is logged, beside the scheduler"
    )


@explains("nothing-to-stop-by")
def nothing_to_stop_by(failure: Failure) -> Hits:
    yield failure.hit(
        "early stopping needs a value to watch: metric_for_best_model='eval_loss' and load_best_model_at_end=True"
    )
