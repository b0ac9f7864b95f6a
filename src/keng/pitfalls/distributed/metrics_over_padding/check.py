"""Source code: a metric counts some samples twice, since the sampler padded the data."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def some_counted_twice(code: Code) -> Hits:
    for sampler in code.padded_samplers_counted():
        says = "the last samples are repeated to fill up: what is counted here counts them twice"
        yield code.hit(sampler, says)
