"""Error messages: a random generator belongs to another device than what is drawn."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-device")
def of_another_device(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    says = say("generator-elsewhere", came=came, wants=wants)
    if failure.passed_through("utils/data/sampler.py", "utils/data/dataset.py"):
        says = say("loader-on-default-device", came=came, wants=wants)
    yield failure.hit(says)


@explains("of-a-pipeline")
def of_a_pipeline(failure: Failure) -> Hits:
    yield from of_another_device(failure)


@explains("none-for-this-device")
def none_for_this_device(failure: Failure) -> Hits:
    yield failure.hit(say("no-generator-for-device", device=failure.groups["came"]))


@explains("permutation-of-the-default-tensors")
def permutation_of_the_default_tensors(failure: Failure) -> Hits:
    yield failure.hit(say("sampler-uses-default-tensors"))
