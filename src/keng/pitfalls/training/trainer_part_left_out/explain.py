"""Error messages: a trainer leaves out a part of the run, and says so in a warning alone."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("written-seldom")
def written_seldom(failure: Failure) -> Hits:
    batches, every = failure.groups["batches"], failure.groups["every"]
    yield failure.hit(
        f"an epoch has {batches} batches, and values of steps are written each {every} steps of the run: log_every_n_steps={batches} or less; values with on_epoch=True are written anyway"
    )


@explains("left-in-eval-mode")
def left_in_eval_mode(failure: Failure) -> Hits:
    count = failure.groups["count"]
    yield failure.hit(
        f"{count} modules are in eval mode, as from_pretrained gives them, and Lightning leaves them so, without dropout and with fixed batch statistics: model.train() before fit, unless they are frozen"
    )


@explains("of-one-process")
def of_one_process(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is the mean of one process's share of the data alone, and so are what is saved and stopped by it: self.log('{name}', ..., sync_dist=True)"
    )


@explains("callback-not-resumed")
def callback_not_resumed(failure: Failure) -> Hits:
    yield failure.hit(
        f"the checkpoint holds the state of {failure.groups['names']}, and this trainer has none such: Trainer(callbacks=[...]) with the same settings, or a new beginning for them"
    )


@explains("written-nowhere")
def written_nowhere(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['name']} is to be logged, and the trainer has logger=False: a logger, or without logger=True"
    )


@explains("rate-not-followed")
def rate_not_followed(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is not logged when the scheduler looks, so the learning rate stays: self.log under that name, and `frequency` as seldom as validation"
    )
