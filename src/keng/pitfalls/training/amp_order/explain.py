"""Error messages: mixed precision takes its steps in a wrong order."""

from __future__ import annotations

from keng.explain.advice.steps import scaled_as_half
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("half-of-its-own")
def half_of_its_own(failure: Failure) -> Hits:
    yield failure.hit(scaled_as_half(failure.message))


@explains("unscaled-twice")
def unscaled_twice(failure: Failure) -> Hits:
    fix = failure.mended("unscaled_once")
    says = "scaler.unscale_ was called twice: once before each scaler.update(), with accumulated gradients only where the optimizer steps, and update() where a step is skipped"
    yield failure.hit(says, fix)
