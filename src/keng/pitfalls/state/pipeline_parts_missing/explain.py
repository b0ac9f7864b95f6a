"""Error messages: a pipeline or its adapter is loaded from files that are made for another."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("part-not-named")
def part_not_named(failure: Failure) -> Hits:
    wants, there = (set(re.findall(r"'(\w+)'", failure.groups[key])) for key in ("wants", "there"))
    kind, missing = failure.groups["kind"].rpartition(".")[2], ", ".join(sorted(wants - there))
    yield failure.hit(say("wants-model-index-json", missing=kind, missing_2=missing))


@explains("stand-in-for-a-class")
def stand_in_for_a_class(failure: Failure) -> Hits:
    part = failure.groups["part"].rpartition(".")[2]
    yield failure.hit(say("stand-transformers-lacks-package", part=part))


@explains("nothing-for-this-part")
def nothing_for_this_part(failure: Failure) -> Hits:
    kind, prefix = failure.groups["kind"], failure.groups["prefix"]
    yield failure.hit(say("adapter-has-nothing-under", kind=prefix, kind_2=kind))


@explains("not-taken")
def not_taken(failure: Failure) -> Hits:
    names, kind = failure.groups["names"][:100], failure.groups["kind"]
    yield failure.hit(say("diffusers-knows-no-goes", names=kind, names_2=names))
