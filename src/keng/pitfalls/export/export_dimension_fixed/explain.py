"""Error messages: a dimension that is to vary is exported as a constant."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

CONSTANT = re.compile(
    r"(?:(?:inferred|specialized it) to be a constant \(|0/1 specialized due to hint of )(?P<size>\d+)"
)
FIXES = re.compile(r"Suggested fixes:\s{1,9}(?P<fix>\S{1,60} = (?:Dim\([^()]{1,60}\)|\S{1,60}))")
SIZES = re.compile(r"index: (\d+) Got: (\d+) Expected: (\d+)")


@explains("fixed-by-the-example")
def fixed_by_the_example(failure: Failure) -> Hits:
    yield failure.hit(_not_free(failure.groups["name"], failure.message))


@explains("given-another-size")
def given_another_size(failure: Failure) -> Hits:
    what, bound, size, got = (failure.groups.get(each) for each in ("what", "bound", "size", "got"))
    advice = say("declare-dynamic") if bound in ("==", "equal to") else say("another-range")
    given = {"what": what, "bound": bound, "size": size, "advice": advice}
    unseen = say("exported-for-one-size", **given)
    yield failure.hit(say("exported-for-another-size", got=got, **given) if got else unseen)


@explains("fixed-in-onnx")
def fixed_in_onnx(failure: Failure) -> Hits:
    name, at, got, size = (failure.groups[each] for each in ("name", "at", "got", "size"))
    advice = _fixed_input(failure.message, at, got, size)
    says = say("onnx-input-fixed", name=name, size=size, at=at, got=got, advice=advice)
    yield failure.hit(says, sure=False)  # a model of any exporter


@explains("fixed-within")
def fixed_within(failure: Failure) -> Hits:
    op, node = failure.groups["op"], failure.groups["node"]
    says = say("node-has-example-size", op=op, node=node)
    yield failure.hit(says, sure=False)  # or inputs that do not fit each other


def _not_free(name: str, message: str) -> Message:
    """Why a dimension that is to vary does not, and what to do about it, by what torch.export found."""
    constant, fixes = CONSTANT.search(message), FIXES.search(message)
    size = constant["size"] if constant else ""
    if size in ("0", "1"):
        return say("fixed-at-0-or-1", name=name, size=size)
    if size:
        return say("fixed-to-example", name=name, size=size)
    if fixes and "must always be equal" in message:
        return say("equal-to-another", name=name, fix=fixes["fix"])
    if fixes:
        return say("valid-for-some-sizes", name=name, fix=fixes["fix"])
    return say("valid-for-conditions", name=name)


def _fixed_input(message: str, at: str, got: str, size: str) -> Message:
    """What to do about an input of an exported model that has another size, by which sizes differ."""
    apart = SIZES.findall(message)
    came, wants = (sorted(each[n] for each in apart) for n in (1, 2))
    if len(apart) > 1 and came == wants:
        return say("dimensions-in-another-order")
    if [each[0] for each in apart] == ["2", "3"]:
        return say("images-of-that-size", height=apart[0][2], width=apart[1][2])
    if at == "0" and max(int(got), int(size)) <= 4096:
        return say("batches-of-that-size", size=size)
    return say("no-batch-dimension") if at == "0" else say("input-of-that-size")
