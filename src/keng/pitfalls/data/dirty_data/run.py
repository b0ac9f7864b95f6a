"""A running program: a batch holds values that are no numbers."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.batch_values import DirtyInput


@watches(DirtyInput)
def values_that_are_no_numbers(fact: DirtyInput) -> Hits:
    which = f"sample {fact.sample} of " if fact.sample is not None else ""
    says = f"{which}batch {fact.batch} holds {fact.not_finite} values that are NaN or infinite"
    name = fact.run.module_name(fact.module)
    yield fact.hit(f"{says}, and `{name}` was given them", not_finite=fact.not_finite)
