"""A running program: micro-batches of one step count equally, though one has many more targets."""

from __future__ import annotations

from collections import Counter
from weakref import WeakKeyDictionary

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.accumulation import AccumulatedStep

RATIO = 1.5
"""Of the most targets to the fewest. A last batch is smaller once in an epoch."""
STEPS, OF = 6, 8
"""Steps with such a ratio, of the first so many."""

_unequal: WeakKeyDictionary[object, Counter[bool]] = WeakKeyDictionary()


@watches(AccumulatedStep)
def more_targets_than_others(step: AccumulatedStep) -> Hits:
    if not step.targets or not min(step.targets):
        return
    seen = _unequal.setdefault(step.optimizer, Counter())
    if seen.total() == OF:
        return
    low, high = min(step.targets), max(step.targets)
    seen[high >= RATIO * low] += 1
    if seen.total() == OF and seen[True] >= STEPS and high >= RATIO * low:
        says = say("means-of-unequal", low=low, high=high, rounds=step.rounds)
        yield step.hit(says, where=step.loss, rounds=step.rounds)
