"""Error messages: a PEFT configuration names layers that the model lacks, or options that exclude each other."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

EXPRESSION = re.compile(r"""['"](?P<one>[^'",]*(?:\.\*|\\\\?\.|\.\+|[\^$|]|\[\d)[^'",]*)['"]""")
"""An entry of a list that is written as a regular expression; `repr` doubles its backslashes."""


@explains("not-in-the-model")
def not_in_the_model(failure: Failure) -> Hits:
    names = failure.groups["names"]
    expression = EXPRESSION.search(names)
    if expression is not None and names[0] in "[{":
        one = expression["one"].replace("\\\\", "\\")
        yield failure.hit(say("regular-expression-in-a-list", expression=one, whole=one))
        return
    if any(f.function == "from_pretrained" and "/peft/" in f.posix for f in failure.frames):
        yield failure.hit(say("adapter-of-other-model", names=names))
    elif names in ("set()", "[]", "{}"):
        yield failure.hit(say("list-is-empty"))
    elif names == "all-linear":
        yield failure.hit(say("all-linear-unknown"))
    else:
        yield failure.hit(say("names-of-other-architecture", names=names))


@explains("no-layer-for-it")
def no_layer_for_it(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    packed = say("packed-layer-unknown", kind=kind)
    yield failure.hit(
        packed if kind.startswith("Linear") else say("target-modules-names-no", kind=kind)
    )


@explains("half-of-it-adapted")
def half_of_it_adapted(failure: Failure) -> Hits:
    kind, names = failure.groups["kind"], failure.groups["names"]
    modules = say("modules-not-matched", names=names)
    yield failure.hit(modules if kind == "module" else say("parameters-not-matched", names=names))


@explains("of-no-kind")
def of_no_kind(failure: Failure) -> Hits:
    if "/peft/" in failure.raised_in or re.search("peft", failure.message, re.IGNORECASE):
        yield failure.hit(say("not-said-adapter-config"))


@explains("rank-not-shared")
def rank_not_shared(failure: Failure) -> Hits:
    kind, groups, rank = (failure.groups[key] for key in ("kind", "groups", "rank"))
    yield failure.hit(say("rank-not-divided-groups", kind=rank, groups=groups, kind_2=kind))


@explains("no-such-task")
def no_such_task(failure: Failure) -> Hits:
    came, known = failure.groups["came"], failure.groups["known"]
    yield failure.hit(say("task-type-none-peft", known=came, known_2=known))


@explains("of-another-task")
def of_another_task(failure: Failure) -> Hits:
    wants, asked = failure.groups["wants"], failure.groups["asked"]
    yield failure.hit(say("adapter-was-trained-auto", asked=wants, asked_2=asked))
