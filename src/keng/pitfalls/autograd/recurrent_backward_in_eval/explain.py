"""Error messages: the gradient of a recurrent layer is asked for in eval mode on a GPU."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("backward-in-eval-mode")
def backward_in_eval_mode(failure: Failure) -> Hits:
    yield failure.hit(say("gradient-recurrent-layer-asked"))
