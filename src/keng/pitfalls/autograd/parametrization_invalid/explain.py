"""Error messages: a weight is parametrized twice, restored where it is not parametrized, or gets a wrong `right_inverse`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("put-on-twice")
def put_on_twice(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    yield failure.hit(say("put-on-twice-on", what=what, name=name))


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        say("has-no-kind-off", name=groups["name"], kind=groups["kind"], what=groups["what"])
    )


@explains("nothing-to-put-it-on")
def nothing_to_put_it_on(failure: Failure) -> Hits:
    yield failure.hit(
        say("has-no-tensor-called", kind=failure.groups["kind"], name=failure.groups["name"])
    )


@explains("not-to-be-assigned")
def not_to_be_assigned(failure: Failure) -> Hits:
    by = failure.groups["by"]
    yield failure.hit(say("tensor-computes-assigned-has", module=by))


@explains("of-another-shape")
def of_another_shape(failure: Failure) -> Hits:
    yield failure.hit(
        say(
            "parametrization-makes-layer-wants",
            of=failure.groups["gets"],
            was=failure.groups["was"],
        )
    )


@explains("makes-another-kind")
def makes_another_kind(failure: Failure) -> Hits:
    yield failure.hit(say("parametrization-gives-tensor-another", what=failure.groups["what"]))


@explains("without-such-a-weight")
def without_such_a_weight(failure: Failure) -> Hits:
    last = failure.frames[-1].path if failure.frames else ""
    if last.endswith("torch/nn/utils/spectral_norm.py"):
        yield failure.hit(say("layer-has-no-parameter", name=failure.groups["name"]))


@explains("gives-no-tensor")
def gives_no_tensor(failure: Failure) -> Hits:
    yield failure.hit(say("right-inverse-gives-tensor", came=failure.groups["came"]))


@explains("gives-another-number")
def gives_another_number(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("right-inverse-gives-tensors", wants=came, wants_2=wants))


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(say("what-assigned-or-comes", wants=what, came=came, wants_2=wants))


@explains("without-an-inverse")
def without_an_inverse(failure: Failure) -> Hits:
    yield failure.hit(say("orthogonal-weight-assigned-only"))
