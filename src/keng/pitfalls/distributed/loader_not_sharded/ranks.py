"""The ranks of a job: every rank works through the same batches."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks, Told
from keng.rules import compares

ENOUGH = 3
"""Batches in a row; a small class or a short text may well be drawn twice."""


MANY = 8
"""Samples drawn by two ranks that are no chance, where no rank has drawn one twice."""


def _digests(told: Told) -> tuple[int, ...]:
    return tuple(batch.digest for batch in told.batches)


@compares
def same_batches(ranks: Ranks) -> Hits:
    if not ranks.replicated or not ranks.agreed(_digests) or ranks.first is None:
        return
    batches = ranks.first.batches
    # One batch for all steps is meant: a measurement, or a model made to overfit it.
    if len(batches) < ENOUGH or len(set(_digests(ranks.first))) < len(batches):
        return
    says = say("same-batches", batches=len(batches), world=len(ranks.told))
    yield ranks.hit(says, batches[-1].where, step=ranks.step)


LEAST, SHARE = 16, 0.25
"""Samples that two ranks have both, and the part of those compared, which no padding or chance gives."""


@compares
def samples_shared(ranks: Ranks) -> Hits:
    if not ranks.replicated and not ranks.trains_together:
        return
    if ranks.agreed(_digests) or ranks.drawn_twice() is not None:
        return  # that is said instead
    for shared in ranks.shared_rows():
        if shared.rows >= max(LEAST, SHARE * shared.of):
            one, two = shared.ranks
            says = say("samples-shared", one=one, two=two)
            yield ranks.hit(says, shared.where, both=shared.rows, compared=shared.of)
            return


@compares
def same_samples(ranks: Ranks) -> Hits:
    drawn = ranks.drawn_twice()
    if drawn is None or not ranks.replicated or drawn[1] < MANY or ranks.agreed(_digests):
        return
    shuffled, twice = drawn
    says = say("same-samples", world=len(ranks.told), size=shuffled.size, twice=twice)
    yield ranks.hit(says, shuffled.where, step=ranks.step)
