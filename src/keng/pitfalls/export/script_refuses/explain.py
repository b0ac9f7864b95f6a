"""Error messages: torchScript refuses a part of the program."""

from __future__ import annotations

from keng.explain.advice.compiled import of_two_types
from keng.explain.advice.programs import IN_PLAIN, told_of_attribute, told_of_traced
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("type-not-known")
def type_not_known(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is no type that TorchScript knows: annotate it with a type of TorchScript, as int or Optional[Tensor]"
    )


@explains("no-tensors")
def no_tensors(failure: Failure) -> Hits:
    says = "tracing takes only tensors, and lists, tuples or dicts of them, in and out: bind the other inputs before, return a tuple"
    yield failure.hit(says)


@explains("of-a-kind-that-is-no-tensor")
def of_a_kind_that_is_no_tensor(failure: Failure) -> Hits:
    yield failure.hit(told_of_traced(failure.groups["kind"]))


@explains("not-of-the-language")
def not_of_the_language(failure: Failure) -> Hits:
    what = IN_PLAIN.get(failure.groups["what"], failure.groups["what"])
    if failure.kind.startswith("torch.jit"):
        yield failure.hit(
            f"TorchScript does not know {what[0].lower() + what[1:]}: other code in its place, @torch.jit.ignore, or torch.jit.trace"
        )


@explains("of-another-type")
def of_another_type(failure: Failure) -> Hits:
    yield failure.hit(of_two_types(failure.message))


@explains("unknown-to-it")
def unknown_to_it(failure: Failure) -> Hits:
    yield failure.hit(told_of_attribute(failure.groups["name"], bool(failure.groups.get("own"))))


@explains("in-one-branch")
def in_one_branch(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` has no value in the {failure.groups['branch']} branch: give it one before the if"
    )
