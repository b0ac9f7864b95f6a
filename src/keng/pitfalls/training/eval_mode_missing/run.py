"""A running program: the model is evaluated in training mode."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import Evaluation


@watches("evaluation")
def run_in_training_mode(seen: Evaluation) -> Hits:
    if seen.records and not seen.whole:
        return
    counts = seen.fresh or seen.scored
    if seen.training and seen.trained and counts and seen.used and seen.mode_layers:
        layers = ", ".join(f"`{layer}`" for layer in seen.mode_layers)
        heed = shorten(layers, 80, placeholder=" ...")
        says = f"`{seen.module}` is evaluated in training mode; layers that heed it: {heed}"
        yield seen.hit(says, batches=seen.forwards, layers=", ".join(seen.mode_layers))
