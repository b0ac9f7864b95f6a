"""Error messages: a tensor without numbers stands in for a real one, and is asked for them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

# Their rules are tried out on fake tensors: what they say of it stands in the error that follows.
OF_DISTRIBUTED_TENSORS = "torch/distributed/tensor/_sharding_prop.py"


@explains("real-beside-fake")
def real_beside_fake(failure: Failure) -> Hits:
    op = failure.groups["op"]
    yield failure.hit(
        f"a real tensor meets fake ones{f' in {op}' if op else ''}: make it a buffer of the model or an argument of the "
        "function, not a global or a plain attribute"
    )


@explains("depends-on-numbers")
def depends_on_numbers(failure: Failure) -> Hits:
    if not failure.passed_through(OF_DISTRIBUTED_TENSORS):
        yield failure.hit(say("result-depends-on-numbers", op=failure.groups["op"]))


@explains("no-fake-form")
def no_fake_form(failure: Failure) -> Hits:
    yield failure.hit(say("does-not-say-what", op=failure.groups["op"]))


@explains("pointer-taken")
def pointer_taken(failure: Failure) -> Hits:
    yield failure.hit(say("operator-c-or-triton"))
