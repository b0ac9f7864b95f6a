"""A running program: a dataset's length is not that of its data."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LoaderBegun


@watches("loader.begun")
def rows_never_reached(loader: LoaderBegun) -> Hits:
    shorter = [rows for rows in loader.rows if rows.items > loader.length > 0]
    for rows in shorter if len(shorter) == len(loader.rows) else ():
        says = f"`self.{rows.attribute}` has {rows.items} items, of which {loader.length} are used"
        says = f"{says}: the dataset's length is {loader.length}"
        yield loader.hit(says, where=loader.length_at or rows.made, items=rows.items)
