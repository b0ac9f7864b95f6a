"""Error messages: a dimension that is to vary is exported as a constant."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

CONSTANT = re.compile(
    r"(?:(?:inferred|specialized it) to be a constant \(|0/1 specialized due to hint of )(?P<size>\d+)"
)
FIXES = re.compile(r"Suggested fixes:\s{1,9}(?P<fix>\S{1,60} = (?:Dim\([^()]{1,60}\)|\S{1,60}))")
SIZES = re.compile(r"index: (\d+) Got: (\d+) Expected: (\d+)")


@explains("fixed-by-the-example")
def fixed_by_the_example(failure: Failure) -> Hits:
    yield failure.hit(f"`{failure.groups['name']}` {_not_free(failure.message)}")


@explains("number-of-the-example")
def number_of_the_example(failure: Failure) -> Hits:
    name, value = failure.groups["name"], failure.groups["value"]
    yield failure.hit(say("example-s-once-exported", value=name, value_2=value))


@explains("given-another-size")
def given_another_size(failure: Failure) -> Hits:
    what, bound, size, got = (failure.groups.get(each) for each in ("what", "bound", "size", "got"))
    cure = "another range of its Dim, or inputs within it"
    if bound in ("==", "equal to"):
        cure = "declare it in dynamic_shapes"
    came = f", and gets {got}" if got else ""
    yield failure.hit(
        say("program-was-exported", cure=what, bound=bound, size=size, came=came, cure_2=cure)
    )


@explains("fixed-in-onnx")
def fixed_in_onnx(failure: Failure) -> Hits:
    name, at, got, size = (failure.groups[each] for each in ("name", "at", "got", "size"))
    cure = _fixed_input(failure.message, at, got, size)
    says = say("was-exported-at-dimension", cure=name, size=size, at=at, got=got, cure_2=cure)
    yield failure.hit(says, sure=False)  # a model of any exporter


@explains("fixed-within")
def fixed_within(failure: Failure) -> Hits:
    op, node = failure.groups["op"], failure.groups["node"]
    says = say("has-size-example-though", node=op, node_2=node)
    yield failure.hit(says, sure=False)  # or inputs that do not fit each other


def _not_free(message: str) -> str:
    """Why a dimension that is to vary does not, and what to do about it, by what torch.export found."""
    constant, fixes = CONSTANT.search(message), FIXES.search(message)
    size = constant["size"] if constant else ""
    if size in ("0", "1"):
        return (
            f"is {size} in the example, which export takes for a constant: an example of 2 or more"
        )
    if size:
        return (
            f"is fixed to {size}, the example's size: a number or a branch in the program holds for "
            "it alone; x.shape in its place, or Dim.AUTO where it may stay so"
        )
    if fixes and "must always be equal" in message:
        return f"is as large as another in this program: one Dim for both, `{fixes['fix']}`"
    if fixes:
        return f"is right for some sizes alone, by a branch or a reshape: `{fixes['fix']}`, or Dim.AUTO"
    return (
        "is right for some sizes alone, by the conditions under it, as a branch or a reshape: min= "
        "and max= of its Dim, or Dim.AUTO"
    )


def _fixed_input(message: str, at: str, got: str, size: str) -> str:
    """What to do about an input of an exported model that has another size, by which sizes differ."""
    apart = SIZES.findall(message)
    came, wants = (sorted(each[n] for each in apart) for n in (1, 2))
    if len(apart) > 1 and came == wants:
        return (
            "the dimensions stand in another order, as channels last, np.transpose(x, (0, 3, 1, 2))"
        )
    if [each[0] for each in apart] == ["2", "3"]:
        return f"images of {apart[0][2]} x {apart[1][2]}, or dynamic_shapes or dynamic_axes for both sizes"
    if at == "0" and max(int(got), int(size)) <= 4096:
        return f"batches of {size}, or dynamic_shapes or dynamic_axes for the batch"
    if at == "0":
        return (
            "no batch stands first: x[None], sound of one channel, dimensions in another order, or "
            "an input made for another model"
        )
    return (
        "an input of that size, made by the settings and the model that it was exported for, or "
        "dynamic_shapes or dynamic_axes where it is to vary"
    )
