"""Error messages: torchScript refuses a part of the program."""

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


@explains("type-not-known")
def type_not_known(failure: Failure) -> Hits:
    yield failure.hit(say("type-unknown", name=failure.groups["name"]))


@explains("no-tensors")
def no_tensors(failure: Failure) -> Hits:
    yield failure.hit(say("only-tensors-traced"))


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


@explains("in-one-branch")
def in_one_branch(failure: Failure) -> Hits:
    name, branch = failure.groups["name"], failure.groups["branch"]
    yield failure.hit(say("no-value-in-branch", name=name, branch=branch))


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
