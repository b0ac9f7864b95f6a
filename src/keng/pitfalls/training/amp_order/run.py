"""A running program: mixed precision takes its steps in a wrong order."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import ClippedGradients, ScaledStep


@watches("gradients.clipped")
def clipped_with_the_scale_on(clip: ClippedGradients) -> Hits:
    if clip.scaled:
        says = f"clips to {clip.max_norm:g} what the GradScaler has scaled up and not unscaled"
        yield clip.hit(f"{says}; little is left of it")


@watches("step.scaled")
def stepped_with_the_scale_on(step: ScaledStep) -> Hits:
    yield step.hit(f"`{step.optimizer}` steps by itself, with gradients that are still scaled up")
