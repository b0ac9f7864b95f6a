"""Error messages: a normalization of weights is put on twice, taken off where it is not, or pickled."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("put-on-twice")
def put_on_twice(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    yield failure.hit(f"{what} is put on `{name}` twice: it is on already")


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        f"`{groups['name']}` of {groups['kind']} has no {groups['what']} of this kind: off already, or of the other API"
    )


@explains("nothing-to-put-it-on")
def nothing_to_put_it_on(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} has no tensor called `{failure.groups['name']}`: the layer inside of it, or its own name, weight_hh_l0 of an LSTM"
    )


@explains("not-to-be-assigned")
def not_to_be_assigned(failure: Failure) -> Hits:
    by = failure.groups["by"]
    yield failure.hit(
        f"a tensor that {by} computes is assigned to, and {by} has no right_inverse, which says what it is computed of"
    )


@explains("of-another-shape")
def of_another_shape(failure: Failure) -> Hits:
    yield failure.hit(
        f"the parametrization makes {failure.groups['gets']} of {failure.groups['was']}, and the layer wants the latter"
    )


@explains("makes-another-kind")
def makes_another_kind(failure: Failure) -> Hits:
    yield failure.hit(
        f"the parametrization gives a tensor of another {failure.groups['what']} than the layer has: keep it, or unsafe=True"
    )


@explains("without-such-a-weight")
def without_such_a_weight(failure: Failure) -> Hits:
    last = failure.frames[-1].path if failure.frames else ""
    if last.endswith("torch/nn/utils/spectral_norm.py"):
        yield failure.hit(
            f"the layer has no parameter `{failure.groups['name']}` of its own: put the norm on the layer inside that has it, or name it"
        )
