"""Error messages: a PyTorch for Intel's cards finds no library or driver of theirs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("runtime-missing")
def runtime_missing(failure: Failure) -> Hits:
    yield failure.hit(say("intel-s-runtime-not", file=failure.groups["file"]))


@explains("no-card")
def no_card(failure: Failure) -> Hits:
    yield failure.hit(say("no-card-intel-s"))


@explains("extension-for-another")
def extension_for_another(failure: Failure) -> Hits:
    wanted, own = failure.groups["wanted"], failure.groups["own"]
    yield failure.hit(say("extension-wants-installed-same", own=wanted, own_2=own))


@explains("tensors-on-the-cpu")
def tensors_on_the_cpu(failure: Failure) -> Hits:
    yield failure.hit(say("intel-s-cards-tensors", name=failure.groups["name"]))


@explains("extension-not-loaded")
def extension_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(say("loads-fails-see-error", name=failure.groups["name"]))
