"""A running program: a batch holds values that are no numbers."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import DirtyInput


@watches("input.dirty")
def values_that_are_no_numbers(seen: DirtyInput) -> Hits:
    which = f"sample {seen.sample} of " if seen.sample is not None else ""
    says = f"{which}batch {seen.batch} holds {seen.not_finite} values that are NaN or infinite"
    yield seen.hit(f"{says}, and `{seen.module}` was given them", not_finite=seen.not_finite)
