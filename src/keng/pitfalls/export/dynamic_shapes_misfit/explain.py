"""Error messages: what is said of the dimensions does not fit the inputs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("other-names")
def other_names(failure: Failure) -> Hits:
    names, given = (failure.groups[each].replace("'", "`") for each in ("names", "given"))
    says = f"dynamic_shapes names {given}, and forward's arguments are {names}: a key for each, None for what does not vary"
    yield failure.hit(says)


@explains("other-number")
def other_number(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(
        f"a list in dynamic_shapes wants {wants} entries for this tensor, and has {got}: None for what does not vary, or a dict"
    )


@explains("of-no-tensor")
def of_no_tensor(failure: Failure) -> Hits:
    says = f"dynamic_shapes gives dimensions to an argument of type {failure.groups['kind']}: None in its place"
    yield failure.hit(says)


@explains("of-another-structure")
def of_another_structure(failure: Failure) -> Hits:
    says = f"dynamic_shapes is not built as the inputs are ({failure.groups['what']}): an entry for each, None for what does not vary"
    yield failure.hit(says)


@explains("outside-of-its-range")
def outside_of_its_range(failure: Failure) -> Hits:
    if failure.kind.endswith("ConstraintViolationError"):
        size, allowed = failure.groups["size"], failure.groups["range"]
        says = f"the example has {size} where its Dim allows {allowed}: another example, or another min and max"
        yield failure.hit(says)


@explains("fixed-to-another")
def fixed_to_another(failure: Failure) -> Hits:
    said, size = failure.groups["said"], failure.groups["size"]
    yield failure.hit(
        f"dynamic_shapes fixes a dimension to {said}, and the example has {size}: an example of {said}, or a Dim"
    )
