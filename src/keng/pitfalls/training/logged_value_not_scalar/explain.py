"""Error messages: what is logged as a number is no single number."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("for-tensorboard")
def for_tensorboard(failure: Failure) -> Hits:
    kind = failure.groups.get("kind")
    what = f"a {kind}" if kind else "more than one number"
    cure = "x.mean().item() for add_scalar, add_histogram for a whole tensor"
    if "int, float, str" in failure.message:
        what, cure = "None, a list or an object among the hyperparameters", "str(value) for those"
    yield failure.hit(f"what is logged is {what}: {cure}")


@explains("for-lightning")
def for_lightning(failure: Failure) -> Hits:
    name, what = failure.groups.get("name") or "what is logged", failure.groups["what"]
    says = "holds several numbers: .mean(), or one name for each"
    if what == "nested":
        says = "is a nested dict: one flat dict of numbers"
    elif what.endswith("values"):
        says = f"is of {what.replace('values', '').strip('` ')}, no number: leave it out"
    yield failure.hit(f"`{name}` {says}")


@explains("video-without-batch")
def video_without_batch(failure: Failure) -> Hits:
    if failure.passed_through("torch/utils/tensorboard/summary.py"):
        yield failure.hit(say("add-video-takes-batch"))


@explains("for-pandas")
def for_pandas(failure: Failure) -> Hits:
    yield failure.hit(say("column-table-holds-tensors"))
