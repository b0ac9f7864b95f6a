"""Error messages: the options of a trainer contradict each other or the run."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("saved-at-other-times")
def saved_at_other_times(failure: Failure) -> Hits:
    names = [failure.groups[key].rpartition(".")[2].lower() for key in ("eval", "save")]
    yield failure.hit(
        f"evaluated and saved by {names[0]} and {names[1]}, the best has no file: eval_strategy and save_strategy alike"
    )


@explains("saved-between")
def saved_between(failure: Failure) -> Hits:
    save, evaluated = failure.groups["save"], failure.groups["eval"]
    yield failure.hit(
        f"saved every {save} steps and evaluated every {evaluated}: save_steps a multiple of eval_steps"
    )


@explains("epoch-too-short")
def epoch_too_short(failure: Failure) -> Hits:
    interval, batches = failure.groups["interval"], failure.groups["batches"]
    yield failure.hit(
        f"an epoch has {batches} batches, and validation waits for {interval}: val_check_interval=1.0, or check_val_every_n_epoch=None"
    )


@explains("other-than-the-job")
def other_than_the_job(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['set']} in the trainer and {failure.groups['asked']} in the SLURM job: the same number in both"
    )


@explains("no-such-option")
def no_such_option(failure: Failure) -> Hits:
    came, kind, known = (failure.groups[key] for key in ("came", "kind", "known"))
    yield failure.hit(
        f"`{came}` is no {kind} of this version, which knows {known[:90]}: one of these, or update the library"
    )
