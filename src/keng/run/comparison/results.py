"""What a comparison is asked for, and what it has shown. Without torch: the command line imports it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from keng.model import Span

Way = Literal["compile", "cpu", "one-rank", "float32"]
WAYS: tuple[Way, ...] = ("compile", "cpu", "one-rank", "float32")


class Difference(NamedTuple):
    """The first value that differs by more than rounding explains: of the output of `module` or, with
    `before`, of what the module around it hands to it. `ours` and `other` are the two numbers, `limit` what
    rounding explains; `where` is the user's line and `operation` what it computes, where these were found."""

    module: str
    kind: str
    ours: float
    other: float
    limit: float
    where: Span | None = None
    operation: str = ""
    before: bool = False


class Comparison(NamedTuple):
    """One forward of a model both ways. `values` were compared; `largest` is the largest difference in units
    of what rounding explains, where nothing differs. `refused` is the id of the reason why nothing could be
    compared, and `detail` what belongs to it."""

    way: Way
    step: int
    model: str = ""
    values: int = 0
    largest: float = 0.0
    difference: Difference | None = None
    refused: str = ""
    detail: str = ""


class Asked(NamedTuple):
    """Which way the forwards of a step are to be run as well; `told` is handed each comparison."""

    way: Way
    step: int
    told: Callable[[Comparison], None]
