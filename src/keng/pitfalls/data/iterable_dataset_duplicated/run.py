"""A running program: each worker goes through the whole of an iterable dataset."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import RepeatedStream


@watches("loader.repeats")
def same_batches_from_each_worker(seen: RepeatedStream) -> Hits:
    says = f"the first batches of all {seen.workers} workers are the same: each goes through all of"
    yield seen.hit(f"{says} `{seen.dataset}`", workers=seen.workers)
