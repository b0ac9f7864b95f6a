"""Error messages: a module holds itself, or its forward calls itself."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

AGAIN = re.compile(r"\bself(?:\.forward)?\(")


THROUGH_ALL_PARTS = frozenset(
    ["train", "_apply", "apply", "state_dict", "__repr__", "named_modules", "load", "share_memory"]
)


@explains("round-and-round")
def round_and_round(failure: Failure) -> Hits:
    deepest = [f.function for f in failure.frames if f.path.endswith("torch/nn/modules/module.py")]
    innermost = failure.frames[-1] if failure.frames else None
    forwards = [f for f in failure.frames if f.function == "forward" and AGAIN.search(f.text)]
    if forwards and (deepest or forwards[-1] is innermost):
        yield failure.hit(say("forward-calls-itself-where", call=forwards[-1].text))
        return
    through = THROUGH_ALL_PARTS.intersection(deepest)
    if len(deepest) > 2 and through:
        layer = failure.live.layer
        method = min(through)
        if layer:
            yield failure.hit(say("kind-holds-itself", kind=layer.kind, method=method))
        else:
            yield failure.hit(say("module-holds-itself", method=method))
