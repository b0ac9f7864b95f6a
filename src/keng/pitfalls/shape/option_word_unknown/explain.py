"""Error messages: a word, or a number that stands for one, chooses what a function does, and is none that it knows."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("none-of-the-known")
def none_of_the_known(failure: Failure) -> Hits:
    name = failure.groups.get("name") or failure.message.partition("Expected ")[2].partition(" ")[0]
    name, known = name.removesuffix(" argument"), failure.groups["known"]
    came = f", and not {failure.groups['came']}" if failure.groups.get("came") else ""
    yield failure.hit(say("name-one-rstrip-came", name=name, rstrip=known.rstrip(". "), came=came))


@explains("not-known-yet")
def not_known_yet(failure: Failure) -> Hits:
    function, name, came = (failure.groups[group] for group in ("function", "name", "came"))
    yield failure.hit(say("pytorch-knows-no-another", came=function, name=name, came_2=came))


@explains("padding-of-another-name")
def padding_of_another_name(failure: Failure) -> Hits:
    yield failure.hit(say("pad-knows-constant-reflect", came=failure.groups["came"]))


@explains("padding-of-a-convolution")
def padding_of_a_convolution(failure: Failure) -> Hits:
    yield failure.hit(say("padding-convolution-numbers-same", came=failure.groups["came"]))


@explains("norm-that-is-none")
def norm_that_is_none(failure: Failure) -> Hits:
    yield failure.hit(say("matrix-has-no-norm", came=failure.groups["came"]))


@explains("distances-of-another-way")
def distances_of_another_way(failure: Failure) -> Hits:
    yield failure.hit(say("cdist-knows-compute-mode", came=failure.groups["came"]))


@explains("reduction-of-another-name")
def reduction_of_another_name(failure: Failure) -> Hits:
    if failure.frames and failure.frames[-1].path.endswith("functional.py"):
        yield failure.hit(say("reduction-none-mean-or", came=failure.groups["came"]))
