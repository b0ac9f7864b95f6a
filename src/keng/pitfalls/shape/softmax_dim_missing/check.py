"""Source code: `softmax` is called without `dim=`."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

FUNCTIONS = tuple(f"torch.nn.functional.{n}" for n in ("softmax", "log_softmax", "softmin"))


LAYERS = ("torch.nn.Softmax", "torch.nn.LogSoftmax", "torch.nn.Softmin")


GUESSED = {0: 0, 1: 0, 2: 1, 3: 0}


@finds(fixes=True, mentions=FUNCTIONS)
def guessed_by_a_function(code: Code) -> Hits:
    for call in code.calls.calls_to(*FUNCTIONS):
        if code.calls.argument(call, "dim", 1) is not None:
            continue
        known = code.shapes.layout(code.calls.argument(call, "input", 0))
        says = say("without-dim-guesses-one")
        if known is not None:
            dims = len(known.shape)
            says = say("without-dim-goes-along", dim=GUESSED.get(dims, 1), count=dims)
        fix = code.edits.add_argument(call, "dim=-1", say("last-dimension")) if known else None
        yield code.hit(call, says, fix=fix)


@finds(mentions=LAYERS)
def guessed_by_a_layer(code: Code) -> Hits:
    for call in code.calls.calls_to(*LAYERS):
        if code.calls.argument(call, "dim", 0) is None:
            says = say("without-dim-guesses-one")
            yield code.hit(call, says)
