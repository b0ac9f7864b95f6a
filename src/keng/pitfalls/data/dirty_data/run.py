"""A running program: a batch holds values that are no numbers."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.batch_values import DirtyInput


@watches(DirtyInput)
def values_that_are_no_numbers(fact: DirtyInput) -> Hits:
    name, count, sample = fact.run.module_name(fact.module), fact.not_finite, fact.sample
    if sample is None:
        says = say("batch-not-finite", batch=fact.batch, count=count, name=name)
    else:
        says = say("sample-not-finite", sample=sample, batch=fact.batch, count=count, name=name)
    yield fact.hit(says, not_finite=count)
