"""A running program: a frozen part goes on learning through its batch statistics."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import MovedStatistics


@watches("statistics.moved")
def statistics_follow_the_batches(seen: MovedStatistics) -> Hits:
    layers = shorten(", ".join(f"`{layer}`" for layer in seen.layers), 80, placeholder=" ...")
    says = f"`{seen.module}` is in training mode, and the running statistics of frozen layers move"
    yield seen.hit(f"{says}: {layers}", layers=len(seen.layers))
