"""Error messages: the signature of an operator of one's own is none that PyTorch can write down."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

NAMESPACE = "the name of an operator has a namespace: 'mylib::name'"


@explains("of-no-schema")
def of_no_schema(failure: Failure) -> Hits:
    kind = failure.groups["kind"].removeprefix("<class '").removesuffix("'>")
    what = f"`{failure.groups['name']}`" if failure.groups["name"] else "the result"
    yield failure.hit(
        f"{what} is annotated {kind}, which no operator has: Tensor, int, float, bool, str, a list or Optional of one"
    )


@explains("changes-what-is-not-there")
def changes_what_is_not_there(failure: Failure) -> Hits:
    names = failure.groups["names"].strip("{}").replace("'", "`")
    yield failure.hit(say("names-no-argument-called", names=names))


@explains("without-namespace")
def without_namespace(failure: Failure) -> Hits:
    if failure.passed_through("torch/_library/custom_ops.py"):
        yield failure.hit(NAMESPACE)


@explains("no-such-key")
def no_such_key(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is no device or key {failure.groups['key']!r}: 'CPU', 'CUDA', 'Meta' or 'CompositeExplicitAutograd'"
    )
