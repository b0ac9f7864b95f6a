"""What one pass over a dataset tells. No torch here: a report is shown without it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class DataFinding:
    """One thing that is wrong, or may be where it is not `sure`. `name` is that of a pitfall of the
    catalogue where one fits (`keng explain NAME`), `indices` are the first samples concerned."""

    name: str
    severity: Literal["error", "warning", "hint"]
    says: str
    indices: tuple[int, ...] = ()
    sure: bool = True


@dataclass(frozen=True)
class PartReport:
    """One part of the samples: an input, a label, a text. `shapes` and `dtypes` tell how many samples
    have them; `mean` and `deviation` stand by channel for pictures; `histogram` counts values (drawn
    with equal chances) in bins of equal width from `minimum` to `maximum`; `classes` are labels
    and their counts."""

    name: str
    shapes: dict[str, int]
    dtypes: dict[str, int]
    minimum: float | None = None
    maximum: float | None = None
    mean: tuple[float, ...] = ()
    deviation: tuple[float, ...] = ()
    histogram: tuple[int, ...] = ()
    classes: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class DatasetReport:
    """`length` is what `len` says (None: nothing), `read` how many samples could be read, `failed` how
    many raised. `seconds` went into reading, `slowest` are indices and their seconds, `nbytes` the
    bytes of all tensors. `interrupted`: only what was read until then is told of."""

    length: int | None
    read: int
    failed: int
    parts: tuple[PartReport, ...]
    findings: tuple[DataFinding, ...]
    seconds: float
    nbytes: int
    slowest: tuple[tuple[int, float], ...] = ()
    interrupted: bool = False
