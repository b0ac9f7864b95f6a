"""A running program: gradients grow without bound, or do not reach some layers."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import GradientNorms

TIMES = 1000


FAINT = 1e-10


@watches("gradients.norms")
def growing_without_bound(norms: GradientNorms) -> Hits:
    if norms.rising >= 3 and norms.total > TIMES * norms.usual > 0 and norms.total > TIMES:
        says = f"the norm of the gradients has grown from {norms.usual:.3g} to {norms.total:.3g}"
        yield norms.hit(f"{says}, and grows from look to look", norm=norms.total)


@watches("gradients.norms")
def not_reached(norms: GradientNorms) -> Hits:
    if norms.faint and norms.ratio < FAINT:
        says = (
            f"the gradient of `{norms.faint}`, against its weights, is {norms.ratio:.1e} of that of"
        )
        yield norms.hit(f"{says} `{norms.strong}`: it does not learn", ratio=norms.ratio)


@watches("gradients.norms")
def exactly_zero(norms: GradientNorms) -> Hits:
    if norms.dead:
        names = shorten(", ".join(f"`{name}`" for name in norms.dead), 80, placeholder=" ...")
        says = f"the gradient of {names} has been exactly zero each time"
        yield norms.hit(
            f"{says}: its units are dead, or the loss leaves it out", parameters=len(norms.dead)
        )
