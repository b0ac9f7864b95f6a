"""Error messages: a helper of `torch.compile` is given what it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-function")
def no_function(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} is to be compiled, and only a function or module can: the name without brackets"
    )


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    name = failure.groups.get("name") or "mark_dynamic"
    yield failure.hit(f"{name} takes one tensor: for x in batch: {name}(x, ...)")


@explains("no-such-option")
def no_such_option(failure: Failure) -> Hits:
    part, name = failure.groups["part"], failure.groups["name"]
    yield failure.hit(
        f"torch._{part}.config of this version has no `{name}`: another name, or leave it out"
    )


@explains("option-of-another-type")
def option_of_another_type(failure: Failure) -> Hits:
    name, got, wants = (failure.groups[each] for each in ("name", "got", "wants"))
    yield failure.hit(f"`{name}` of options= is a {wants}, and gets a {got}")
