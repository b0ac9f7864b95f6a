"""Error messages: a weight is parametrized twice, restored where it is not parametrized, or gets a wrong `right_inverse`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        say("has-no-kind-off", name=groups["name"], kind=groups["kind"], what=groups["what"])
    )


@explains("without-such-a-weight")
def without_such_a_weight(failure: Failure) -> Hits:
    last = failure.frames[-1].path if failure.frames else ""
    if last.endswith("torch/nn/utils/spectral_norm.py"):
        yield failure.hit(say("layer-has-no-parameter", name=failure.groups["name"]))


@explains("gives-another-number")
def gives_another_number(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("right-inverse-gives-tensors", wants=came, wants_2=wants))


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(say("what-assigned-or-comes", wants=what, came=came, wants_2=wants))
