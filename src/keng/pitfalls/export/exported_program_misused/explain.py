"""Error messages: an exported program is used otherwise than it was exported."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("mode-changed")
def mode_changed(failure: Failure) -> Hits:
    yield failure.hit(say("exported-program-has-no", mode=failure.groups["mode"]))


@explains("inputs-of-another-structure")
def inputs_of_another_structure(failure: Failure) -> Hits:
    yield failure.hit(say("exported-program-called-other"))


@explains("of-another-torch")
def of_another_torch(failure: Failure) -> Hits:
    own, wanted = failure.groups["own"], failure.groups["wanted"]
    yield failure.hit(say("file-has-version-format", wanted=own, wanted_2=wanted))


@explains("saved-unexported")
def saved_unexported(failure: Failure) -> Hits:
    yield failure.hit(say("torch-export-save-takes", kind=failure.groups["kind"]))


@explains("parts-are-settled")
def parts_are_settled(failure: Failure) -> Hits:
    yield failure.hit(say("exported-program-settled-change", name=failure.groups["name"]))


@explains("no-module")
def no_module(failure: Failure) -> Hits:
    yield failure.hit(say("exported-program-no-model", name=failure.groups["name"]))


@explains("no-program-in-it")
def no_program_in_it(failure: Failure) -> Hits:
    yield failure.hit(say("file-none-torch-export"))
