"""Error messages: the memory of the GPU is exhausted."""

from __future__ import annotations

from keng.explain.advice.memory import told_by_numbers, told_without_numbers
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("numbers-that-tell-why")
def numbers_that_tell_why(failure: Failure) -> Hits:
    card = failure.memory
    yield failure.hit(
        told_by_numbers(failure),
        wanted_gib=card.wanted,
        total_gib=card.total,
        free_gib=card.free,
    )


@explains("no-numbers")
def no_numbers(failure: Failure) -> Hits:
    yield failure.hit(told_without_numbers(failure))
