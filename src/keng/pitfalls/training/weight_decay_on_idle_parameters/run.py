"""A running program: parameters that get no gradient still move."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import IdleParameters


@watches("parameters.idle")
def moved_without_a_gradient(idle: IdleParameters) -> Hits:
    names = shorten(", ".join(f"`{p.name}`" for p in idle.parameters), 80, placeholder=" ...")
    p = max(idle.parameters, key=lambda p: abs(p.norm_before - p.norm_now) / (p.norm_before or 1))
    says = f"{names} moved although the gradient was zero at {p.steps} steps in a row"
    yield idle.hit(
        says,
        parameter=p.name,
        norm_before=p.norm_before,
        norm_now=p.norm_now,
        weight_decay=p.weight_decay,
        momentum=p.momentum,
    )
