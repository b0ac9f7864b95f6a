"""Error messages: torchScript refuses a part of the program."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

RETURNED = re.compile(
    r"annotated as having type (?P<said>\S{1,80}) but is actually of type (?P<came>[^\s:]{1,80})"
)
IN_PLAIN = {
    "formatting in JoinedStr": 'f"{x:.3f}", a format in an f-string',
    "conversion in JoinedStr": 'f"{x!r}", a conversion in an f-string',
    "kind of augmented assignment": "this operator before `=`, as in `@=`",
    "a single generator": "a comprehension over two loops",
}
"""What TorchScript calls parts of a program -> how they are written."""


@explains("type-not-known")
def type_not_known(failure: Failure) -> Hits:
    yield failure.hit(say("no-type-torchscript-knows", name=failure.groups["name"]))


@explains("no-tensors")
def no_tensors(failure: Failure) -> Hits:
    says = say("tracing-takes-only-tensors")
    yield failure.hit(says)


@explains("of-a-kind-that-is-no-tensor")
def of_a_kind_that_is_no_tensor(failure: Failure) -> Hits:
    yield failure.hit(_told_of_traced(failure.groups["kind"]))


@explains("not-of-the-language")
def not_of_the_language(failure: Failure) -> Hits:
    what = IN_PLAIN.get(failure.groups["what"], failure.groups["what"])
    if failure.kind.startswith("torch.jit"):
        yield failure.hit(say("torchscript-does-not-know", what=what[0].lower() + what[1:]))


@explains("of-another-type")
def of_another_type(failure: Failure) -> Hits:
    yield failure.hit(_of_two_types(failure.message))


@explains("unknown-to-it")
def unknown_to_it(failure: Failure) -> Hits:
    yield failure.hit(_told_of_attribute(failure.groups["name"], bool(failure.groups.get("own"))))


@explains("in-one-branch")
def in_one_branch(failure: Failure) -> Hits:
    yield failure.hit(
        say("has-no-value-branch", branch=failure.groups["name"], branch_2=failure.groups["branch"])
    )


def _told_of_traced(kind: str) -> str:
    """One line about what went into a traced model or came out of it, and is no tensor."""
    if kind == "NoneType":
        return (
            "None is among what the model takes or gives, and tracing takes tensors alone: leave it out, "
            "in a wrapper's forward that returns a tuple of tensors"
        )
    if kind in ("int", "float", "bool", "str"):
        return (
            f"a plain {kind} is among what the model takes or gives, and a trace keeps no such argument: "
            "bind it before, functools.partial or an attribute"
        )
    return (
        f"a `{kind}` goes into the model or comes out of it, and tracing takes tensors alone: "
        "a wrapper whose forward takes tensors and returns a tuple of them"
    )


def _of_two_types(message: str) -> str:
    """One line about a name or a result that TorchScript finds to be of two types."""
    returned = RETURNED.search(message)
    if returned is not None and returned["came"].startswith("Optional["):
        return "what is returned may be None: `assert x is not None` before it, or -> Optional[...]"
    if returned is not None:
        return (
            f"a {returned['came']} is returned, and -> {returned['said']} is written: one of them"
        )
    if "NoneType" in message:
        return (
            "a name is None at first and another thing later: `x: Optional[Tensor] = None` where it "
            "is set first"
        )
    return "a name has one type all through; without a note it is a Tensor: `x: int`"


def _told_of_attribute(name: str, own: bool) -> str:
    """What TorchScript does not take of an attribute, or of a method; `own` where it is the module's."""
    if own:
        return (
            f"the compiler knows no `{name}`: set it in __init__, to what has a type of TorchScript; a "
            "package may be written for a newer PyTorch"
        )
    return f"the compiler cannot take `{name}` along: leave it out, annotate it, or ignore the function"
