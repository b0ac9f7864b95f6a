"""A running program: the loss becomes NaN or infinite."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import NotFinite


@watches("not.finite")
def first_value_that_was_not_finite(seen: NotFinite) -> Hits:
    origin = seen.origin
    batch = f" at batch {seen.batch}" if seen.batch else ""
    inside = f" in `{origin.module}`" if origin.module and origin.cause != "weights" else ""
    sample = f", first in sample {origin.sample} of the batch" if origin.sample is not None else ""
    why = origin.detail or "where it came from is not known"
    yield seen.hit(
        f"{seen.what} became {seen.value}{batch}{inside}{sample}: {why}",
        where=origin.where,
        cause=origin.cause,
        operation=origin.operation,
        module=origin.module,
    )
