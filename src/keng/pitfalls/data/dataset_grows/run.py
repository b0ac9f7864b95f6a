"""A running program: a dataset keeps everything that it has ever read."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import GrownDataset

MUCH = 4_000_000
"""Bytes. Notes of small things are kept on purpose, and are not felt."""


@watches("dataset.grows")
def more_than_there_is(seen: GrownDataset) -> Hits:
    if seen.bytes >= MUCH:
        says = f"`self.{seen.attribute}` grows in each epoch: it holds {seen.items} items"
        size = f"{seen.bytes / 1e6:.0f} MB"
        yield seen.hit(f"{says} of {seen.length} samples, {size}", items=seen.items)
