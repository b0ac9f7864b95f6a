"""Whole numbers that may stand for classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

MOST = 1000
"""Distinct numbers above which these are identities or amounts, not classes."""
IGNORED = -100
"""What PyTorch's losses leave out."""


@dataclass
class Labels:
    """How often each number was seen; counting ends where there are too many to be classes."""

    counts: Counter[int] = field(default_factory=Counter)
    amounts: bool = False

    def add(self, labels: Iterable[int]) -> None:
        if self.amounts:
            return
        self.counts.update(labels)
        self._give_up()

    def merge(self, other: Labels) -> None:
        self.amounts |= other.amounts
        self.counts.update(other.counts)
        self._give_up()

    def _give_up(self) -> None:
        if self.amounts or len(self.counts) > MOST:
            self.amounts = True
            self.counts.clear()

    @property
    def classes(self) -> dict[int, int]:
        """Labels and their counts, what losses ignore left out; empty where they look like
        something else: nearly all of them different, or too many."""
        counts = {label: n for label, n in sorted(self.counts.items()) if label != IGNORED}
        return counts if sum(counts.values()) >= 2 * len(counts) else {}

    @property
    def missing(self) -> list[int]:
        """Numbers between the least and the largest that no sample has, where most of them are had."""
        had = self.classes
        if not had:
            return []
        span = range(min(had), max(had) + 1)
        return [label for label in span if label not in had] if len(span) <= 2 * len(had) else []

    @property
    def imbalance(self) -> float:
        """The most frequent class over the rarest."""
        had = self.classes
        return max(had.values()) / min(had.values()) if had else 1.0
