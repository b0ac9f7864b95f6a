"""A running program: the model is evaluated in training mode."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits, say
from keng.pitfalls.training._shared_run import follows_mode
from keng.rules import watches
from keng.run.facts.evaluation import Evaluation


@watches(Evaluation)
def run_in_training_mode(fact: Evaluation) -> Hits:
    if fact.records and not fact.whole:
        return
    counts = fact.fresh or fact.scored
    if fact.training and fact.trained and counts and fact.used and (names := _mode_layers(fact)):
        shown = shorten(", ".join(f"`{name}`" for name in names), 80, placeholder=" ...")
        says = say("evaluated-training-mode-layers", name=fact.name, layers=shown)
        layers = ", ".join(names)
        yield fact.hit(says, where=fact.where, batches=fact.forwards, layers=layers)


def _mode_layers(fact: Evaluation) -> list[str]:
    module = fact.module()
    layers = module.named_modules() if module is not None else ()
    return [name for name, layer in layers if layer.training and follows_mode(layer)]
