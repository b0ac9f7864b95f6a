"""Source code: the model is evaluated in training mode."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code, Grad


@finds
def evaluated_in_training_mode(code: Code) -> Hits:
    for seen in code.evaluations:
        if seen.mode not in ("", "train") or not (seen.named or seen.grad is Grad.OFF):
            continue
        if code.result_unused(seen.forward) or code.trains_on_purpose(seen):
            continue
        name = code.text_of(seen.model)
        if layers := code.mode_layers(seen.model):
            says = f"`{name}` is evaluated without `{name}.eval()`"
            yield code.hit(seen.forward, says, layers=", ".join(sorted(layers)))


@finds
def tested_in_training_mode(code: Code) -> Hits:
    for call in code.tested_at_once():
        layers, name = code.mode_layers(call.func), code.text_of(call.func)
        if layers and code.mode_at(call.func, call) in ("", "train"):
            says = f"`{name}` is evaluated without `{name}.eval()`"
            yield code.hit(call, says, layers=", ".join(sorted(layers)))


@finds
def used_in_training_mode(code: Code) -> Hits:
    for call in code.used_as_made():
        name, layers = code.text_of(call.func), code.mode_layers(call.func) or ()
        says = f"`{name}` is in training mode, as it was made: nothing calls `{name}.eval()`"
        yield code.hit(call, says, layers=", ".join(sorted(layers)))
