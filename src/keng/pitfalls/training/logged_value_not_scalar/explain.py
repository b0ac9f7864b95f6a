"""Error messages: what is logged as a number is no single number."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("for-tensorboard")
def for_tensorboard(failure: Failure) -> Hits:
    kind = failure.groups.get("kind")
    if "int, float, str" in failure.message:
        yield failure.hit(say("invalid-hyperparameter"))
    else:
        yield failure.hit(say("other-type", kind=kind) if kind else say("several-numbers"))


@explains("for-lightning")
def for_lightning(failure: Failure) -> Hits:
    name, what = failure.groups.get("name"), failure.groups["what"]
    if what == "nested":
        yield failure.hit(say("name-is-nested", name=name) if name else say("dict-is-nested"))
    elif what.endswith("values"):
        kind = what.replace("values", "").strip("` ")
        unknown = say("not-a-number", kind=kind)
        yield failure.hit(say("name-is-not-number", name=name, kind=kind) if name else unknown)
    else:
        yield failure.hit(say("name-holds-several", name=name) if name else say("several-numbers"))


@explains("video-without-batch")
def video_without_batch(failure: Failure) -> Hits:
    if failure.passed_through("torch/utils/tensorboard/summary.py"):
        yield failure.hit(say("add-video-takes-batch"))
