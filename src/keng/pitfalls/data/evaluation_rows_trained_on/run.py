"""A running program: some of the rows of an evaluation were trained on."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.evaluated_rows import EvaluatedRows

FEWEST = 40
"""Different rows of an evaluation, and of the training."""
LEAST, MOST = 0.08, 0.9
"""Share of them that were trained on. All of them is an evaluation on the training set, which is meant."""
COVERED = 0.5
"""Share of the training rows at most: who evaluates most of them evaluates all data, which is meant, too."""
REPEATED = 0.02
"""Share of rows that come several times in the evaluation: with more of them, rows are the same by chance."""


@watches(EvaluatedRows)
def seen_before(fact: EvaluatedRows) -> Hits:
    if min(fact.distinct, fact.trained) < FEWEST or fact.whole or not fact.repeated:
        return  # rows that are changed at random, in training or by an attack, are the same by chance
    share = fact.known / fact.distinct
    repeated = 1 - fact.distinct / fact.rows
    if LEAST <= share <= MOST and fact.known <= COVERED * fact.trained and repeated <= REPEATED:
        values = {"known": fact.known, "rows": fact.distinct, "share": f"{share:.0%}"}
        yield fact.hit(say("rows-trained-on", **values), where=fact.where, rows=fact.rows)
