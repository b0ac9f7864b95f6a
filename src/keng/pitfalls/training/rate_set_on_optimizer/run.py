"""A running program: the learning rate is set on the optimizer itself, where nothing reads it."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import StrayAttribute


@watches("attribute.stray")
def read_by_nothing(seen: StrayAttribute) -> Hits:
    if seen.kind == "optimizer":
        says = f"`lr` is a new attribute of `{seen.thing}`, which nothing reads"
        yield seen.hit(f"{says}: the rate is that of its groups")
