"""A running program: predictions and targets of different shapes are broadcast in the loss."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LossCall, LossGraph

COMPARING = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


@watches("loss")
def expanded_against_each_other(loss: LossCall) -> Hits:
    given, target = loss.input_shape, loss.target_shape
    if loss.function not in COMPARING or loss.failed or not loss.pairs:
        return
    says = (
        f"`{loss.input or 'the input'}` is {given} and `{loss.target or 'the target'}` is {target}"
    )
    yield loss.hit(f"{says}: every prediction is compared with every target")


@watches("loss.graph")
def subtracted_from_each_other(graph: LossGraph) -> Hits:
    for pair in graph.pairings:
        says = f"the output {pair.output} of `{pair.module}` and a target make {pair.result}"
        yield graph.hit(f"{says}: every prediction is compared with every target", where=pair.where)
