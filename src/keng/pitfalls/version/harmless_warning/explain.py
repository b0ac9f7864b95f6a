"""Error messages: a warning of PyTorch or of a library about something that does not change any result."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("copy-of-an-iterator")
def copy_of_an_iterator(failure: Failure) -> Hits:
    if failure.passed_through("torch/utils/data/dataloader.py"):
        yield failure.hit(say("forked-process-worker-another"))


@explains("registered-again")
def registered_again(failure: Failure) -> Hits:
    name, home = failure.groups["name"], failure.groups["home"]
    yield failure.hit(say("timm-create-model-gives", home=name, home_2=home))


@explains("cast-for-the-kernel")
def cast_for_the_kernel(failure: Failure) -> Hits:
    to = failure.groups["to"]
    yield failure.hit(say("norms-in-float32", to=to) if to else say("norms-in-half-precision"))
