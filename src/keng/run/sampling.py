"""What is dear is looked at the first few times, and then now and then."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

FIRST = 5
EVERY = 50


@dataclass(slots=True)
class Sampler:
    first: int = FIRST
    every: int = EVERY
    seen: dict[Hashable, int] = field(default_factory=dict)

    def due(self, key: Hashable = None) -> bool:
        count = self.seen.get(key, 0)
        self.seen[key] = count + 1
        return count < self.first or count % self.every == 0
