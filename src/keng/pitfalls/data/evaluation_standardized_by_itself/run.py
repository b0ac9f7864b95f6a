"""A running program: the rows of an evaluation were standardized by their own mean and deviation."""

from __future__ import annotations

from math import sqrt

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.evaluated_rows import EvaluatedRows

FEWEST = 40
"""Rows of an evaluation: the mean of so few drawn at random is never exactly zero."""
ZERO, ONE = 1e-4, 1e-4
"""How far a mean may be from 0 and a deviation from 1, of float32 numbers."""
MOST = 0.9
"""Share of the features that are standardized; constant ones do not count."""


@watches(EvaluatedRows)
def standardized_alone(fact: EvaluatedRows) -> Hits:
    """Rows that were trained on may well be standardized by themselves: the training set is. They are known again
    only where the training does not change them at random."""
    fresh = fact.repeated and not fact.known
    if not fresh or min(fact.rows, fact.trained) < FEWEST or not fact.means:
        return
    pairs = [(m, d) for m, d in zip(fact.means, fact.deviations, strict=True) if d > ZERO]
    exact = sum(abs(m) < ZERO and _is_one(d, fact.rows) for m, d in pairs)
    if pairs and exact >= MOST * len(pairs):
        yield fact.hit(say("standardized-alone", rows=fact.rows), where=fact.where, rows=fact.rows)


def _is_one(deviation: float, rows: int) -> bool:
    """With n or with n - 1 as the divisor, where n is the number of rows or more."""
    return sqrt((rows - 1) / rows) - ONE < deviation < 1 + ONE
