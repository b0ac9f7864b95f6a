"""Source code: the negative log-likelihood gets raw scores where it takes log-probabilities."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

LAYERS = ("torch.nn.Linear", "torch.nn.Conv1d", "torch.nn.Conv2d", "torch.nn.Conv3d")


SUMS = ("logsumexp", "logaddexp", "exp")
"""What makes a normalization that stands next to the loss."""


@finds
def scores_of_a_layer(code: Code) -> Hits:
    for call in code.graph.loss_calls("torch.nn.NLLLoss", "torch.nn.functional.nll_loss"):
        given = code.calls.argument(call, "input", position=0)
        origins = code.origins.origins(given)
        if given is None or any(o.dotted not in LAYERS for o in origins):
            continue
        if not any(code.calls.calls_named(name) for name in SUMS):
            layer = origins[0].dotted.rpartition(".")[2]
            says = say("scores-of-layer", scores=code.text_of(given), layer=layer)
            yield code.hit(call, says)
