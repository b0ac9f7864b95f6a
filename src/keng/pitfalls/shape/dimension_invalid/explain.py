"""Error messages: a dimension that the tensor does not have, dimensions named twice, or a wrong number of them."""

from __future__ import annotations

import ast
import contextlib
import re

from keng.explain.failure import Failure
from keng.explain.operands.calls import OperatorCall
from keng.model import Hits, Message, say
from keng.rules import explains

OF_DIMENSIONS = frozenset(("dim", "dim0", "dim1", "start_dim", "end_dim", "dims", "axis"))
OF_ONE_SAMPLE = re.compile(
    r"batch[ _]?size\b.{0,40}\b(?:1|one)\b|last batch\b|\b(?:1|one|single) (?:example|sample|image)\b",
    re.IGNORECASE,
)
JOINED = re.compile(r"\bcat\(")

OF_NORM = re.compile(r"batch_norm|instance_norm")
KEY = re.compile(r"[\w)\]]\[[\"']")

SPECTRUM = re.compile(r"\b(?:i?stft|i?r?fft)\b")


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    count, there = int(failure.groups["n"]), failure.live.operands
    same = len(there) == 1 and len(there[0].shape) in (
        count,
        0,
    )  # not one that the operator extends
    dim, name = failure.groups["dim"], there[0].name if same else ""
    if count == 1 and JOINED.search(failure.line):
        yield failure.hit(say("vectors-joined", dim=dim))
    elif name and not there[0].shape:
        yield failure.hit(say("named-without-dimensions", name=name, dim=dim))
    elif name and count == 1:
        yield failure.hit(say("named-with-one-dimension", name=name, dim=dim))
    elif name:
        yield failure.hit(say("named-with-dimensions", name=name, count=count, dim=dim))
    elif (call := _call_with(failure, int(dim))) is not None:
        yield failure.hit(_said_of_call(call, count, dim))
    elif count == 1:
        yield failure.hit(_of_a_vector(failure, dim))
    else:
        yield failure.hit(say("with-dimensions", count=count, dim=dim))


@explains("more-indices-than-dimensions")
def more_indices_than_dimensions(failure: Failure) -> Hits:
    yield failure.hit(_indexed_too_often(failure))


@explains("another-number-to-permute")
def another_number_to_permute(failure: Failure) -> Hits:
    has, named = int(failure.groups["n"]), int(failure.groups["dims"])
    if named - has == 1:
        yield failure.hit(say("permute-names-one-more", has=has, named=named))
    elif has - named == 1:
        yield failure.hit(say("permute-names-one-less", has=has, named=named))
    else:
        yield failure.hit(say("permute-names-others", has=has, named=named))


@explains("past-the-end-of-a-shape")
def past_the_end_of_a_shape(failure: Failure) -> Hits:
    text = failure.line or failure.surrounding
    read = re.findall(r"([\w.]+)\.(?:shape|size\(\))\[-?\d\]", text)
    torn = ".size()[" in text or (failure.surrounding and failure.line_uses_torch)
    if read and (failure.in_forward or torn):
        names = [*dict.fromkeys(read)]
        if len(names) == 1:
            yield failure.hit(say("shape-too-short", name=names[0]))
        else:
            listed = ", ".join(f"`{name}`" for name in names)
            yield failure.hit(say("one-shape-too-short", names=listed))


@explains("missing-dimension")
def too_few_dimensions(failure: Failure) -> Hits:
    has = failure.groups.get("has")
    yield failure.hit(say("last-is-minus-one", has=has) if has else say("without-dimensions"))


@explains("named-twice")
def named_twice(failure: Failure) -> Hits:
    dim = failure.groups.get("dim")
    yield failure.hit(say("dimension-named-twice", dim=dim) if dim else say("some-dimension-twice"))


@explains("of-other-dimensions")
def of_other_dimensions(failure: Failure) -> Hits:
    what = failure.groups.get("what", "").removeprefix("tensor.") or say("the-layer")
    wants, came = failure.groups["wants"].replace("D", ""), failure.groups["came"]
    least = re.search(r"\d", wants)
    if OF_NORM.search(what):
        yield failure.hit(say("norm-of-fewer", layer=failure.layer, wants=wants, came=came))
    elif int(came) < int(least[0] if least else 2):
        yield failure.hit(say("fewer-dimensions-than-taken", what=what, wants=wants, came=came))
    else:
        yield failure.hit(say("more-dimensions-than-taken", what=what, wants=wants, came=came))


def _call_with(failure: Failure, dim: int) -> OperatorCall | None:
    """The one call on the failing line that names a dimension of its tensor by this number."""
    found = [each for each in failure.operator_calls if dim in _dimensions_of(each)]
    return found[0] if len(found) == 1 else None


def _dimensions_of(call: OperatorCall) -> set[object]:
    given = (node for name, node in call.arguments().items() if name in OF_DIMENSIONS)
    found = set()
    for node in given:
        with contextlib.suppress(ValueError):
            found.add(ast.literal_eval(node))
    return found


def _said_of_call(call: OperatorCall, count: int, dim: str) -> Message:
    """`count` are the dimensions that the operator counts: `unsqueeze` one more than its tensor has."""
    tensor, name = call.written("input", call.written("self", "x")), call.name
    if name == "unsqueeze":
        return say("unsqueeze-too-far", name=tensor, count=count - 1, dim=dim, last=count - 1)
    if name == "squeeze" and count == 1:
        return say("squeezed-before", name=tensor, dim=dim)
    if count == 1:
        return say("call-of-vector", function=name, name=tensor, dim=dim)
    return say("call-of-dimensions", function=name, name=tensor, count=count, dim=dim)


def _of_a_vector(failure: Failure, dim: str) -> Message:
    if OF_ONE_SAMPLE.search(f"{failure.context} {failure.surrounding}"):
        return say("batch-of-one-squeezed", dim=dim)
    return say("one-dimension-or-none", dim=dim)


def _indexed_too_often(failure: Failure) -> Message:
    """What is meant by a tensor that is indexed in more dimensions than it has."""
    count = failure.groups["n"]
    if KEY.search(failure.line):
        return say("batch-asked-for-key") if count == "1" else say("tensor-asked-for-key")
    if SPECTRUM.search(f"{failure.line} {failure.surrounding} {failure.context} {failure.message}"):
        return say("spectrum-is-complex")
    return say("more-indices", count=count)
