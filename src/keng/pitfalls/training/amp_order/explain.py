"""Error messages: mixed precision takes its steps in a wrong order."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

HALF = (
    "what is trained is float16 itself, the model or an adapter: keep it in float32, as "
    "p.data = p.data.float() for what learns, and autocast takes half precision where it may"
)
BRAIN = "what is trained is bfloat16, which needs no loss scale: leave the GradScaler out"


@explains("half-of-its-own")
def half_of_its_own(failure: Failure) -> Hits:
    yield failure.hit(_scaled_as_half(failure.message))


@explains("unscaled-twice")
def unscaled_twice(failure: Failure) -> Hits:
    fix = failure.mended("unscaled_once")
    says = "scaler.unscale_ was called twice: once before each scaler.update(), with accumulated gradients only where the optimizer steps, and update() where a step is skipped"
    yield failure.hit(says, fix)


def _scaled_as_half(message: str) -> str:
    return BRAIN if "BFloat16" in message else HALF
