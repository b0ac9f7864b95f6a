"""Error messages: a function of PyTorch gets an argument of another kind than it takes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from keng.explain.failure import Failure
from keng.model import Hits
from keng.pitfalls.shape._shared import UNSTACKED, tuple_from_recurrent_layer
from keng.rules import explains
from keng.tables.argument_forms import came_as, made_an_array, no_numbers, told_of, transformed

NUMPYS = "np.{0} is called on a tensor: torch.{0}(x, dim=...), or x.numpy()"

GRADIENT = "None: a gradient that did not come, as of a parameter that is frozen or was not used"
REPEATED = re.compile(r"\] ?\* ?\w")


@explains("another-kind")
def another_kind(failure: Failure) -> Hits:
    groups = failure.groups
    came = _as_the_line_tells(failure) or came_as(groups["wants"], groups["came"])
    says = f"`{groups['name']}` of {groups.get('function', 'the layer')} wants {groups['wants']} and gets {came}"
    mute = failure.code.silent_forward() if groups["came"] == "NoneType" and failure.code else None
    if mute is not None:
        says += f", as `{mute[0]}` does, whose forward has no return"
    fix, where = failure.code.made_last(mute[1]) if mute is not None else (None, None)
    yield failure.hit(tuple_from_recurrent_layer(failure, groups["came"]) or says, fix, where)


@explains("a-size-that-is-not-whole")
def a_size_that_is_not_whole(failure: Failure) -> Hits:
    yield failure.hit(f"a size is {came_as('int', failure.groups['came'])}")


@explains("another-combination")
def another_combination(failure: Failure) -> Hits:
    function, got = failure.groups["function"], failure.groups["got"]
    forms = failure.message.partition(", but expected")[2]
    says = NUMPYS.format(function) if "out=NoneType" in got else told_of(function, got, forms)
    yield failure.hit(tuple_from_recurrent_layer(failure, "") or says)


@explains("called-by-numpy")
def called_by_numpy(failure: Failure) -> Hits:
    if failure.raised_in.endswith("/fromnumeric.py"):
        yield failure.hit(NUMPYS.format(failure.groups["function"]))


@explains("no-array")
def no_array(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(f"from_numpy takes an array and gets a {came}: {made_an_array(came)}")


@explains("no-optimizer")
def no_optimizer(failure: Failure) -> Hits:
    says = f"a scheduler takes an optimizer first, and gets {failure.groups['came']}: an optimizer of torch.optim"
    yield failure.hit(says)


@explains("made-of-no-numbers")
def made_of_no_numbers(failure: Failure) -> Hits:
    yield failure.hit(no_numbers(failure.groups["came"]))


@explains("of-a-transform")
def of_a_transform(failure: Failure) -> Hits:
    came = failure.groups.get("came", "")
    cure = transformed(failure.message, failure.groups.get("what") or "", came)
    what = came_as("an image", came).partition(":")[0] if came else "another kind of image"
    yield failure.hit(f"a transform gets {what}: {cure}")


def _as_the_line_tells(failure: Failure) -> str:
    """What came in the place of a tensor, where its name or the line tells more than its kind."""
    groups = failure.groups
    if groups["came"] == "NoneType" and ".grad" in failure.line:
        return GRADIENT
    if (
        groups["came"] == "list"
        and groups.get("function") == "mul"
        and REPEATED.search(failure.line)
    ):
        return "a list, which a number repeats and a tensor does not: [0] * int(n)"
    return _target_unstacked(groups)


def _target_unstacked(groups: Mapping[str, str]) -> str:
    """The same of the argument that a loss calls its target."""
    unmade = groups["name"] == "target" and groups["came"] in ("tuple", "list")
    return f"a {groups['came']}, {UNSTACKED}" if unmade else ""
