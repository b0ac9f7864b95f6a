"""Error messages: TorchScript, or an exporter that traces, cannot compile a part of the program."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

RETURNED = re.compile(
    r"annotated as having type (?P<said>\S{1,80}) but is actually of type (?P<came>[^\s:]{1,80})"
)

IN_PLAIN = {
    "formatting in JoinedStr": say("format-in-f-string"),
    "conversion in JoinedStr": say("conversion-in-f-string"),
    "kind of augmented assignment": say("augmented-assignment"),
    "a single generator": say("two-generators"),
}
"""What TorchScript calls parts of a program -> how they are written."""


@explains("of-a-kind-that-is-no-tensor")
def of_a_kind_that_is_no_tensor(failure: Failure) -> Hits:
    yield failure.hit(_told_of_traced(failure.groups["kind"]))


@explains("not-of-the-language")
def not_of_the_language(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if failure.kind.startswith("torch.jit"):
        named = IN_PLAIN.get(what) or what[0].lower() + what[1:]
        yield failure.hit(say("construct-not-supported", what=named))


@explains("of-another-type")
def of_another_type(failure: Failure) -> Hits:
    yield failure.hit(_of_two_types(failure.message))


@explains("unknown-to-it")
def unknown_to_it(failure: Failure) -> Hits:
    yield failure.hit(_told_of_attribute(failure.groups["name"], bool(failure.groups.get("own"))))


@explains("container-of-what")
def container_of_what(failure: Failure) -> Hits:
    name = failure.groups["name"]
    holds = {"Dict": "str, Tensor", "Tuple": "Tensor, int"}.get(name, "Tensor")
    yield failure.hit(say("does-not-say-what", holds=name, holds_2=holds))


@explains("call-does-not-fit")
def call_does_not_fit(failure: Failure) -> Hits:
    wants, name, came = (failure.groups[each] for each in ("wants", "name", "came"))
    if came and "Tensor" in came and "Tensor" not in wants:
        says = say("wants-gets-argument-without", came=name, wants=wants, came_2=came)
    elif came and came.startswith(("Optional[", "NoneType")):
        says = say("what-given-may-none", name=name)
    elif came:
        says = say("function-called-wants-gets", came=name, wants=wants, came_2=came)
    else:
        says = say("function-called-arguments-other")
    yield failure.hit(says)


@explains("two-kinds-of-results")
def two_kinds_of_results(failure: Failure) -> Hits:
    first, then = failure.groups["first"], failure.groups["then"]
    yield failure.hit(say("one-return-gives-another", then=first, then_2=then))


@explains("default-of-another-type")
def default_of_another_type(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(say("declared-has-default-another", kind=name, kind_2=kind))


@explains("not-defined")
def not_defined(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if re.search(rf"\b{name} = ", failure.message):
        yield failure.hit(say("has-value-on-some", name=name))
        return
    yield failure.hit(say("not-known-where-function", name=name))


@explains("attribute-without-type")
def attribute_without_type(failure: Failure) -> Hits:
    name, kind = failure.groups["name"], failure.groups["kind"]
    yield failure.hit(say("not-kept-compiler-annotate", kind=name, kind_2=kind))


@explains("written-as-onnx")
def written_as_onnx(failure: Failure) -> Hits:
    name = failure.groups["name"]
    other = say("function-without-onnx", name=name)
    yield failure.hit(say("swish-without-onnx", name=name) if "Swish" in name else other)


@explains("reads-more-than-it-is-given")
def reads_more_than_it_is_given(failure: Failure) -> Hits:
    if failure.contains("onnx"):
        checkpoint = failure.contains("checkpoint")
        yield failure.hit(say("checkpoint-in-export") if checkpoint else say("function-in-export"))


def _told_of_traced(kind: str) -> Message:
    """About an input or output of a traced model that is not a tensor."""
    if kind == "NoneType":
        return say("none-traced")
    if kind in ("int", "float", "bool", "str"):
        return say("plain-value-traced", type=kind)
    return say("object-traced", type=kind)


def _of_two_types(message: str) -> Message:
    """About a name or a result to which TorchScript finds two types."""
    returned = RETURNED.search(message)
    if returned is not None and returned["came"].startswith("Optional["):
        return say("result-may-be-none")
    if returned is not None:
        return say("result-of-another-type", came=returned["came"], said=returned["said"])
    return say("none-at-first") if "NoneType" in message else say("one-type-for-name")


def _told_of_attribute(name: str, own: bool) -> Message:
    """What TorchScript does not accept of an attribute, or of a method; `own` where it is the module's."""
    return say("no-such-attribute", name=name) if own else say("attribute-not-compiled", name=name)
