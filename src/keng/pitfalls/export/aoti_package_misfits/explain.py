"""Error messages: a package of AOTInductor is loaded or called otherwise than it was compiled."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("input-differs")
def input_differs(failure: Failure) -> Hits:
    nth, what, wants = (failure.groups[name] for name in ("nth", "what", "wants"))
    at, got = failure.groups.get("at", ""), failure.groups.get("got", "")
    came = f", and got {got}" if got else ""
    yield failure.hit(
        f"input {nth} of the package was compiled for {what} {at + ' of ' if at else ''}{wants}{came}: dynamic_shapes for what varies, inputs as in the example"
    )


@explains("number-differs")
def number_differs(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(
        f"the package takes {wants} tensors, and gets {got}: numbers of the example are constants"
    )


@explains("no-code-in-it")
def no_code_in_it(failure: Failure) -> Hits:
    yield failure.hit(
        "the file holds no compiled code: what torch.export.save wrote is read by torch.export.load, or compiled first"
    )


@explains("no-archive")
def no_archive(failure: Failure) -> Hits:
    yield failure.hit(
        f"the package cannot be read ({failure.groups['why'].strip()}): its path, or a whole copy"
    )


@explains("not-exported")
def not_exported(failure: Failure) -> Hits:
    yield failure.hit("a package is compiled from an ExportedProgram: torch.export.export first")


@explains("named-otherwise")
def named_otherwise(failure: Failure) -> Hits:
    yield failure.hit(f"{failure.groups['path']} does not end in .pt2, as a package does")
