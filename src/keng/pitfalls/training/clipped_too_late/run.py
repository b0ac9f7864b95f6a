"""A running program: gradients are clipped after the step that used them."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import ClippedGradients


@watches("gradients.clipped")
def clipped_after_the_step(clip: ClippedGradients) -> Hits:
    if clip.spent and clip.max_norm < float("inf"):
        yield clip.hit(f"clips to {clip.max_norm:g} what the step has already used")
