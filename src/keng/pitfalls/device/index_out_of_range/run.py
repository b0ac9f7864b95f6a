"""A running program: an index points outside the tensor, or is no integer."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import FailedForward


@watches("forward.failed")
def embedded_outside_the_table(failed: FailedForward) -> Hits:
    if failed.error == "IndexError" and failed.indices is not None:
        lowest, highest, rows = failed.indices
        says = f"indices run from {lowest} to {highest}, and an embedding has {rows} rows"
        yield failed.hit(f"{says}, 0 to {rows - 1}", highest=highest, rows=rows)
