"""Error messages: a scheduler gets numbers that fit neither each other nor its optimizer."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("one-for-each-group")
def one_for_each_group(failure: Failure) -> Hits:
    groups = failure.groups
    s = "" if groups["wants"] == "1" else "s"
    yield failure.hit(
        f"the optimizer has {groups['wants']} parameter group{s}, and {groups['came']} {groups['what']} come: one alone for all, or a list of {groups['wants']}"
    )


@explains("rates-of-an-old-scheduler")
def rates_of_an_old_scheduler(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(f"before PyTorch 1.4 a {kind} has no get_last_lr: update torch, or get_lr")


@explains("rate-of-a-plateau")
def rate_of_a_plateau(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"a `ReduceLROnPlateau` has no {name} in older versions: optimizer.param_groups[0]['lr']"
    )


@explains("no-length")
def no_length(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/optim/lr_scheduler.py"):
        yield failure.hit(
            "a scheduler divides by its length, and that is 0: T_max, step_size or total_iters, as len(loader) // steps may give it"
        )
