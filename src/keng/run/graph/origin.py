"""Where values that are not finite came from."""

from __future__ import annotations

from typing import NamedTuple

from keng.model import Span


class Origin(NamedTuple):
    """Where the first value that is not finite came from, as far as it is known.

    `cause`: "data", "labels", "domain" (a function at the edge of where it is defined), "overflow",
    "exploded" (values have grown over the steps), "weights" (they were not finite before) or nothing.
    `operation` is the function's name, `module` the path in the model, `sample` an index into the
    batch; `detail` tells in words what went in.
    """

    cause: str
    detail: str = ""
    operation: str = ""
    module: str = ""
    sample: int | None = None
    where: Span | None = None
