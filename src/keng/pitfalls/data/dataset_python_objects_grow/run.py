"""A running program: a dataset of many small Python objects is copied into every worker, page by page."""

from __future__ import annotations

from typing import Any

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.loader import LoaderStarted, kept_by
from keng.run.user_code import uses

MANY = 100_000
"""Python objects. Fewer, of some fifty bytes, are not felt when they are copied."""


@watches(LoaderStarted)
def many_objects_to_copy(loader: LoaderStarted) -> Hits:
    for kept in kept_by(loader.dataset, _is_many) if loader.workers else ():
        if not uses(type(loader.dataset), kept.attribute):
            continue
        name, kind, items = kept.attribute, kept.kind, f"{kept.items:,}"
        says = say("copied-at-start", name=name, kind=kind, items=items, workers=loader.workers)
        if loader.forks:
            says = say("copied-as-read", name=name, kind=kind, items=items, workers=loader.workers)
        yield loader.hit(says, where=kept.made, items=kept.items)


def _is_many(value: Any) -> bool:
    return isinstance(value, (list, tuple, dict)) and len(value) >= MANY
