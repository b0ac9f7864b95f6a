"""A running program: gradients of the last batches of an epoch are added to those of the next."""

from __future__ import annotations

from collections import Counter
from weakref import WeakKeyDictionary

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.accumulation import AccumulatedStep

USUAL = 2
"""Steps with the same number of backwards, which then is the usual one."""

_rounds: WeakKeyDictionary[object, Counter[int]] = WeakKeyDictionary()
"""How often each optimizer has stepped after so many backwards."""


@watches(AccumulatedStep)
def more_than_usual(step: AccumulatedStep) -> Hits:
    """A counter that runs on over the epochs steps after the usual number."""
    seen = _rounds.setdefault(step.optimizer, Counter())
    usual, times = seen.most_common(1)[0] if seen else (0, 0)
    if step.crossed and times >= USUAL and step.rounds == usual + step.crossed:
        values = {"left": step.crossed, "rounds": step.rounds, "usual": usual}
        yield step.hit(say("left-over-added", **values), rounds=step.rounds)
    if not step.crossed:
        seen[step.rounds] += 1
