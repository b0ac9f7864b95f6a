"""A running program: a dataset of many small Python objects is copied into every worker, page by page."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LoaderBegun


@watches("loader.begun")
def many_objects_to_copy(loader: LoaderBegun) -> Hits:
    for kept in loader.objects if loader.workers else ():
        says = f"`self.{kept.attribute}` is a {kept.kind} of {kept.items:,} Python objects"
        how = "page by page as it reads" if loader.forks else "at its start"
        yield loader.hit(
            f"{says}: each of {loader.workers} workers copies them, {how}",
            where=kept.made,
            items=kept.items,
        )
