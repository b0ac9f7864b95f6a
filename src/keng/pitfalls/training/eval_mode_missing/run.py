"""A running program: the model is evaluated in training mode."""

from __future__ import annotations

from torch.nn import Module

from keng.model import Hits, say
from keng.pitfalls.training._shared_run import follows_mode, named_layers
from keng.rules import watches
from keng.run.facts.evaluation import Evaluation


@watches(Evaluation)
def run_in_training_mode(fact: Evaluation) -> Hits:
    if fact.records and not fact.whole:
        return
    counts = fact.fresh or fact.scored
    if fact.training and fact.trained and counts and fact.used and (layers := _mode_layers(fact)):
        shown = named_layers(fact.name, layers)
        says = say("evaluated-training-mode-layers", name=fact.name, layers=shown)
        paths = ", ".join(path for path, _ in layers)
        yield fact.hit(says, where=fact.where, batches=fact.forwards, layers=paths)


def _mode_layers(fact: Evaluation) -> list[tuple[str, Module]]:
    module = fact.module()
    layers = module.named_modules() if module is not None else ()
    return [each for each in layers if each[1].training and follows_mode(each[1])]
