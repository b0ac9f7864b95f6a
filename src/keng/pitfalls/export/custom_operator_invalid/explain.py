"""Error messages: a custom operator does not keep the rules of torch.library."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("gives-no-tensor")
def gives_no_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/_library/custom_ops.py"):
        yield failure.hit(say("operator-gives-where-annotation", came=failure.groups["came"]))


@explains("of-no-schema")
def of_no_schema(failure: Failure) -> Hits:
    kind = failure.groups["kind"].removeprefix("<class '").removesuffix("'>")
    name = failure.groups["name"]
    argument = say("argument-type-not-supported", name=name, kind=kind)
    yield failure.hit(argument if name else say("result-type-not-supported", kind=kind))


@explains("changes-what-is-not-there")
def changes_what_is_not_there(failure: Failure) -> Hits:
    names = failure.groups["names"].strip("{}").replace("'", "`")
    yield failure.hit(say("no-such-argument", names=names))


@explains("without-namespace")
def without_namespace(failure: Failure) -> Hits:
    if failure.passed_through("torch/_library/custom_ops.py"):
        yield failure.hit(say("without-namespace"))


@explains("no-such-key")
def no_such_key(failure: Failure) -> Hits:
    yield failure.hit(say("no-such-key", key=repr(failure.groups["key"])))
