"""A running program: a DataLoader that drops the last batch has no other."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import EmptyPass


@watches("loader.empty")
def no_full_batch(seen: EmptyPass) -> Hits:
    says = f"the loader gives nothing: {seen.samples} samples are no batch of {seen.size}"
    yield seen.hit(f"{says}, and `drop_last` leaves them out", samples=seen.samples)
