"""Error messages: a random generator belongs to another device than what is drawn."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-device")
def of_another_device(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    says = f"the generator is of {came} and the numbers are drawn on {wants}"
    own = f"torch.Generator(device='{wants}')"
    cure = f"{own}, or no default device other than the CPU where a loader shuffles"
    if failure.passed_through("utils/data/sampler.py", "utils/data/dataset.py"):
        cure = f"the default device is {wants}: leave it at the CPU, or generator={own} for the loader or split that shuffles"
    yield failure.hit(f"{says}: {cure}")


@explains("of-a-pipeline")
def of_a_pipeline(failure: Failure) -> Hits:
    yield from of_another_device(failure)


@explains("none-for-this-device")
def none_for_this_device(failure: Failure) -> Hits:
    yield failure.hit(say("there-no-generators-draw", came=failure.groups["came"]))


@explains("permutation-of-the-default-tensors")
def permutation_of_the_default_tensors(failure: Failure) -> Hits:
    yield failure.hit(say("sampler-shuffles-default-tensors"))
