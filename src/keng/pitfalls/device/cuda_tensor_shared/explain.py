"""Error messages: a tensor on the GPU is handed from process to process, or outlives the one that made it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("sent-on")
def sent_on(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor on the GPU that came from another process is sent on: x.clone() first, or x.cpu() at its maker"
    )


@explains("gone-before-it-is-read")
def gone_before_it_is_read(failure: Failure) -> Hits:
    if failure.passed_through("torch/multiprocessing/reductions.py"):
        yield failure.hit(
            "a tensor on the GPU is read whose process has ended: let that one wait until it is read, or send x.cpu()"
        )


@explains("maker-has-ended")
def maker_has_ended(failure: Failure) -> Hits:
    yield failure.hit(
        "the process that made tensors on the GPU ended first, while another still read them: harmless at the end of the "
        "program; else let it wait, or send x.cpu()"
    )
