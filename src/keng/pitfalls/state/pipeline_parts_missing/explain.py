"""Error messages: a pipeline or its adapter is loaded from files that are made for another."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("part-not-named")
def part_not_named(failure: Failure) -> Hits:
    wants, there = (set(re.findall(r"'(\w+)'", failure.groups[key])) for key in ("wants", "there"))
    kind, missing = failure.groups["kind"].rpartition(".")[2], ", ".join(sorted(wants - there))
    yield failure.hit(
        f"{kind} wants {missing}, and model_index.json has none: give it as an argument, or the pipeline that the file names, with a diffusers as new"
    )


@explains("no-such-variant")
def no_such_variant(failure: Failure) -> Hits:
    variant = failure.groups["variant"]
    yield failure.hit(
        f"no file of weights there has .{variant}. in its name: leave variant out, torch_dtype converts while loading"
    )


@explains("stand-in-for-a-class")
def stand_in_for_a_class(failure: Failure) -> Hits:
    part = failure.groups["part"].rpartition(".")[2]
    yield failure.hit(
        f"`{part}` is a stand-in, as Transformers lacks a package for the class (sentencepiece, protobuf, torchvision), or is none that diffusers loads: install it, or update both"
    )


@explains("nothing-for-this-part")
def nothing_for_this_part(failure: Failure) -> Hits:
    kind, prefix = failure.groups["kind"], failure.groups["prefix"]
    yield failure.hit(
        f"the adapter has nothing under `{prefix}.` for {kind}: right where it was trained for the other part alone, else it does nothing"
    )


@explains("not-taken")
def not_taken(failure: Failure) -> Hits:
    names, kind = failure.groups["names"][:100], failure.groups["kind"]
    yield failure.hit(
        f"{kind} of this diffusers knows no {names} and goes without: misspelt, an argument of the call, or of a newer version than is installed"
    )


@explains("token-there-already")
def token_there_already(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['token']} was loaded before, as in a cell that runs again: unload_textual_inversion() first, or token= another"
    )
