"""Error messages: what goes with a model stays behind when the model or the batch is moved."""

from __future__ import annotations

from keng.explain.advice.shown import set_after_the_move
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("a-layer-set-behind")
def a_layer_set_behind(failure: Failure) -> Hits:
    layer, model = set_after_the_move(failure)
    if layer:
        yield failure.hit(
            f"`{layer}` is made after `{model}` was moved, and stays on the CPU, where the autocast of a card casts nothing: {model}.to(device) once more behind it"
        )


@explains("a-metric")
def a_metric(failure: Failure) -> Hits:
    metric = failure.groups["metric"] or "the metric"
    yield failure.hit(
        f"{metric} counts on another device than its inputs: .to(device), or an attribute of the module, not a plain list or dict"
    )


@explains("an-optimizer")
def an_optimizer(failure: Failure) -> Hits:
    yield failure.hit(
        "the optimizer holds the parameters from before the move: model.to(device) first, then the optimizer"
    )


@explains("a-part")
def a_part(failure: Failure) -> Hits:
    what, other, one = (failure.groups[key] for key in ("what", "other", "one"))
    move = f".to('{one}') for it, or for both"
    if other == "cpu":
        move = f"{what}.to('{one}')"
    elif one == "cpu":
        move = (
            f"g = g.to('{other}'), as it returns a new graph"
            if "graph" in failure.message
            else f"model.to('{other}')"
        )
    yield failure.hit(f"`{what}` lies on {other}, and what it belongs to on {one}: {move}")
