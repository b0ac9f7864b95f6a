"""A running program: a number that is to be learned becomes a constant on its way through forward."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import CutGraph


@watches("graph.cut")
def no_gradient_behind_it(cut: CutGraph) -> Hits:
    if cut.parameters:
        names = shorten(", ".join(f"`{name}`" for name in cut.parameters), 80, placeholder=" ...")
        says = f"{names} has no gradient after the backward: {cut.operation} makes a constant of it"
        yield cut.hit(says, where=cut.where)
