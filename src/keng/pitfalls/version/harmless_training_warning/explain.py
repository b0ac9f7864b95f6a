"""Error messages: a library over Transformers tells what it puts right by itself in a training."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("cast-for-the-kernel")
def cast_for_the_kernel(failure: Failure) -> Hits:
    to = failure.groups["to"] or "half precision"
    yield failure.hit(
        f"norms that were made float32 for the training give float32, and flash attention gets it as {to}: right"
    )


@explains("window-left-out")
def window_left_out(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['kernel']}` looks at all earlier tokens and not at a window of them: the same for texts shorter than sliding_window in config.json"
    )
