"""Error messages: `torch.load` refuses what is no plain data."""

from __future__ import annotations

from keng.explain.advice.refused import read_all_the_same, told_of
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("class-not-allowed")
def class_not_allowed(failure: Failure) -> Hits:
    name = failure.groups["name"].rstrip(".")
    cure = read_all_the_same(failure, name)
    yield failure.hit(f"{told_of(name)}; if you trust the file, {cure}", refused=name)


@explains("a-script")
def a_script(failure: Failure) -> Hits:
    yield failure.hit(
        "the file is a TorchScript program, not a checkpoint: torch.jit.load reads it"
    )


@explains("default-will-change")
def default_will_change(failure: Failure) -> Hits:
    yield failure.hit(
        "torch.load will refuse what is no plain data from 2.6 on: weights_only=True, or False for a file of one's own"
    )


@explains("refused-without-its-name")
def refused_without_its_name(failure: Failure) -> Hits:
    if "vulnerability" in failure.message:
        yield failure.hit(
            "transformers loads pickled weights by torch 2.6 or later alone: a newer torch, or safetensors"
        )
        return
    yield failure.hit(
        "torch.load takes plain data alone since 2.6: safe_globals for what the end of the message names, weights_only=False "
        "for a file of one's own, or safetensors"
    )
