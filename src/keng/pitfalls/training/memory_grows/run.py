"""A running program: a list gets a tensor at every step, and nobody empties it."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import GatheredItems

MUCH = 16_000_000


EACH = 1000
"""Bytes. Numbers of each step are kept on purpose, and are not felt."""


@watches("items.gathered")
def never_emptied(seen: GatheredItems) -> Hits:
    if seen.bytes < MUCH or seen.bytes < EACH * seen.items or (seen.used and not seen.passes):
        return
    through = f", through {seen.passes} passes over the data" if seen.passes else ""
    says = f"`{seen.name}` has got something at every step{through}, and was never emptied"
    size = f"{seen.items} items, {seen.bytes / 1e6:.0f} MB"
    yield seen.hit(f"{says}: {size}", items=seen.items, bytes=seen.bytes)
