"""When to do what is expensive: the first few times and then now and then, or in rows ever farther
apart."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

FIRST = 5
EVERY = 50
LOOKS, APART = 4, 2


@dataclass(slots=True)
class Sampler:
    """True for the first times, and then for each `every`-th; counted by key."""

    first: int = FIRST
    every: int = EVERY
    seen: dict[Hashable, int] = field(default_factory=dict)

    def due(self, key: Hashable = None) -> bool:
        count = self.seen.get(key, 0)
        self.seen[key] = count + 1
        return count < self.first or count % self.every == 0


@dataclass(slots=True)
class LookRows:
    """Rows of four looks that begin at the steps 64, 128, 256 ..., two steps apart: two optimizers may
    share what one batch leaves behind. `due` is the step of the next look."""

    row: int = 64
    look: int = 0
    due: int = 64

    def looked(self) -> bool:
        """Counts a look; True if it was the last of its row."""
        self.look += 1
        ended = self.look == LOOKS
        if ended:
            self.row, self.look = 2 * self.row, 0
        self.due = self.row + self.look * APART
        return ended
