"""Error messages: a tensor without numbers stands in for a real one, and is asked for them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
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
        yield failure.hit(
            f"the result of {failure.groups['op']} depends on numbers, and a fake tensor has none: torch.where, torch.cond, or "
            "outside of what is traced"
        )


@explains("no-fake-form")
def no_fake_form(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} does not say what it gives for fake tensors: torch.library.register_fake, or import the package "
        "that registers it"
    )


@explains("pointer-taken")
def pointer_taken(failure: Failure) -> Hits:
    yield failure.hit(
        "an operator in C++ or Triton takes the memory of a tensor that has none while the program is traced: wrap it by "
        "torch.library.custom_op with register_fake"
    )
