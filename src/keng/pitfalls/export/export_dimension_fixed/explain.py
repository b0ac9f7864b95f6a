"""Error messages: a dimension that is to vary is exported as a constant."""

from __future__ import annotations

from keng.explain.advice.compiled import fixed_input, not_free
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("fixed-by-the-example")
def fixed_by_the_example(failure: Failure) -> Hits:
    yield failure.hit(f"`{failure.groups['name']}` {not_free(failure.message)}")


@explains("number-of-the-example")
def number_of_the_example(failure: Failure) -> Hits:
    name, value = failure.groups["name"], failure.groups["value"]
    yield failure.hit(
        f"`{name}` is the example's {value} once it is exported: give it as a tensor, or export once for each value"
    )


@explains("given-another-size")
def given_another_size(failure: Failure) -> Hits:
    what, bound, size, got = (failure.groups.get(each) for each in ("what", "bound", "size", "got"))
    cure = "another range of its Dim, or inputs within it"
    if bound in ("==", "equal to"):
        cure = "declare it in dynamic_shapes"
    came = f", and gets {got}" if got else ""
    yield failure.hit(f"the program was exported for `{what}` {bound} {size}{came}: {cure}")


@explains("fixed-in-onnx")
def fixed_in_onnx(failure: Failure) -> Hits:
    name, at, got, size = (failure.groups[each] for each in ("name", "at", "got", "size"))
    cure = fixed_input(failure.message, at, got, size)
    says = f"`{name}` was exported with {size} at dimension {at}, and gets {got}: {cure}"
    yield failure.hit(says, sure=False)  # a model of any exporter


@explains("fixed-within")
def fixed_within(failure: Failure) -> Hits:
    op, node = failure.groups["op"], failure.groups["node"]
    says = f"{op} `{node}` has a size of the example in it, though the input varies: x.shape in forward and no int() or list of numbers, dynamo=True for PyTorch's own layers, or inputs of that size"
    yield failure.hit(says, sure=False)  # or inputs that do not fit each other
