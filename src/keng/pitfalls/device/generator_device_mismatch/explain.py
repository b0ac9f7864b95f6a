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
