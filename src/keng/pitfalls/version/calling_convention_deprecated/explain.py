"""Error messages: a way of calling something is on its way out."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.version._shared_explain import calling_package
from keng.rules import explains

INSTEAD = {
    "The epoch": say("step-without-epoch"),
    "To get the": say("last-lr"),
    "align_corners": say("align-corners"),
    "floor": say("rounding-mode"),
    "This overload": say("factor-last"),
    "broadcast_buffers": say("forward-sync-buffers"),
    "psample": say("interpolate"),
    "meshgrid": say("meshgrid-indexing"),
    "out": say("out-of-right-shape"),
    "`x.T`": say("transpose-of-batch"),
    "Using a non": say("full-backward-hook"),
    "non-full": say("full-backward-hook"),
    "Positional args": say("state-dict-by-name"),
    "verbose": say("scheduler-without-verbose"),
    "only_inputs": say("only-inputs"),
    "deprecated and renamed": say("min-val"),
    "resize": say("reshape"),
    "`eps`": say("gumbel-eps"),
    "check_reduction": say("check-reduction"),
    "reset_max": say("reset-peak-stats"),
    "grad_variables": say("grad-tensors"),
    "custom_fwd": say("custom-fwd"),
    "custom_bwd": say("custom-bwd"),
    "TypedStorage": say("untyped-storage"),
}


@explains("another-way")
def another_way(failure: Failure) -> Hits:
    who, says = calling_package(failure, " "), INSTEAD[failure.groups["what"]]
    if who and failure.kind.endswith("Warning"):
        says = say("library-is-to-change-it", who=who, change=says)
    yield failure.hit(says)


@explains("through-an-old-backend")
def through_an_old_backend(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/backends/backend.py"):
        yield failure.hit(say("no-backend-functions"))
