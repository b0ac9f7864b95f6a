"""Error messages: torchScript cannot read the type that an annotation names."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("container-of-what")
def container_of_what(failure: Failure) -> Hits:
    name = failure.groups["name"]
    holds = {"Dict": "str, Tensor", "Tuple": "Tensor, int"}.get(name, "Tensor")
    yield failure.hit(f"`{name}` does not say what it holds: `{name}[{holds}]`, or what it is")


@explains("no-type-of-its")
def no_type_of_its(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is no type of TorchScript: another one, or @torch.jit.ignore for the function that takes it"
    )


@explains("comment-of-another-form")
def comment_of_another_form(failure: Failure) -> Hits:
    yield failure.hit(
        "a comment of types is one line right below the def: # type: (Tensor, int) -> Tensor; or annotations in its place"
    )
