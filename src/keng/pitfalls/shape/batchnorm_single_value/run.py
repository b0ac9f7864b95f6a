"""A running program: a normalization in training gets one value per channel."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import BatchOfOne


@watches("batch.of.one")
def last_batch_foretold(seen: BatchOfOne) -> Hits:
    if seen.layer:
        says = f"{seen.samples} samples in batches of {seen.batch_size} leave a last batch of one"
        yield seen.hit(f"{says}, of which `{seen.layer}` takes no variance: drop_last=True")
