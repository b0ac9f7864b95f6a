"""A running program: every gradient is clipped to next to nothing."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import ConstantClipping

TIMES = 100


NOTHING = 1e-4
"""Of the weights' norm: a thousand steps in one direction go a tenth of it."""


@watches("clipping.constant")
def clipped_to_zero(clip: ConstantClipping) -> Hits:
    if clip.bound == 0 < clip.least:
        yield clip.hit("clips every gradient to zero: nothing is learned", steps=clip.steps)


@watches("clipping.constant")
def far_below_all(clip: ConstantClipping) -> Hits:
    if clip.kind != "SGD" or not 0 < TIMES * clip.bound < clip.least or clip.moves > NOTHING:
        return
    says = f"each of {clip.steps} gradients had a norm above {clip.least:.3g}, and is clipped to"
    moved = (
        f"{clip.bound:g}: `{clip.optimizer}` moves the weights by {clip.moves:.1e} of their norm"
    )
    yield clip.hit(f"{says} {moved} in a step", steps=clip.steps, norm=clip.least)
