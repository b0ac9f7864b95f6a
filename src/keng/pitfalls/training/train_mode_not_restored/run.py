"""A running program: after an evaluation the model goes on training in eval mode."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import TrainedInEval


@watches("trained.in.eval")
def stepped_in_eval_mode(seen: TrainedInEval) -> Hits:
    if layers := seen.mode_layers:
        heed = shorten(", ".join(f"`{layer}`" for layer in layers), 80, placeholder=" ...")
        says = f"`{seen.module}` is trained in eval mode, and was in training mode before"
        yield seen.hit(f"{says}; layers that heed it: {heed}", layers=", ".join(layers))
