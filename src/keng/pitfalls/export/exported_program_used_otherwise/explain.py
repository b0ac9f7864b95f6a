"""Error messages: an exported program is used otherwise than it was exported."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("mode-changed")
def mode_changed(failure: Failure) -> Hits:
    yield failure.hit(
        f"an exported program has no {failure.groups['mode']}(): choose the mode before torch.export.export"
    )


@explains("inputs-of-another-structure")
def inputs_of_another_structure(failure: Failure) -> Hits:
    yield failure.hit(
        "the exported program is called with other arguments than it was exported with: the same number, order and keywords"
    )


@explains("of-another-torch")
def of_another_torch(failure: Failure) -> Hits:
    own, wanted = failure.groups["own"], failure.groups["wanted"]
    yield failure.hit(
        f"the file has version {own} of the format, and this PyTorch reads {wanted}: export it again, or load it with the PyTorch that saved it"
    )


@explains("saved-unexported")
def saved_unexported(failure: Failure) -> Hits:
    yield failure.hit(
        f"torch.export.save takes what torch.export.export gives, and no {failure.groups['kind']}"
    )


@explains("parts-are-settled")
def parts_are_settled(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` of an exported program is settled: change the model, and export it again"
    )


@explains("no-module")
def no_module(failure: Failure) -> Hits:
    yield failure.hit(
        f"an exported program is no model and has no {failure.groups['name']}(): program.module(), or before it is exported"
    )


@explains("no-program-in-it")
def no_program_in_it(failure: Failure) -> Hits:
    yield failure.hit(
        "the file is none of torch.export.save, or of another PyTorch: weights are read by torch.load, a package by aoti_load_package"
    )
