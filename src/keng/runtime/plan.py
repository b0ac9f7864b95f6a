"""What is to be done where the ranks of a job stand still."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from keng.ranks import Stall


class Plan(NamedTuple):
    """`stall` seconds without progress, while some rank waits, are a stall: rank 0 hears of it by
    `on_stall`. With `abort` every rank that stands is then ended, `on_abort` being called before."""

    stall: float = 30.0
    abort: bool = False
    on_stall: Callable[[Stall], None] = lambda stall: None
    on_abort: Callable[[], None] = lambda: None
