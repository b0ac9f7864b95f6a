"""The report of one pass over a dataset. No torch here: a report is shown without it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from keng._util.cache import load_own

TEXTS = os.path.join(os.path.dirname(__file__), "text.toml")


@dataclass(frozen=True)
class DataFinding:
    """One fault, or a possible one where it is not `sure`. `name` is that of a pitfall where one fits
    (`keng explain NAME`), `indices` are the first samples concerned. `message_id` names the sentence in
    text.toml, whose holes `values` fill."""

    name: str
    severity: Literal["error", "warning", "hint"]
    message_id: str
    values: Mapping[str, object] = field(default_factory=dict)
    indices: tuple[int, ...] = ()
    sure: bool = True

    @property
    def says(self) -> str:
        return self.sentence("en")

    def sentence(self, lang: str) -> str:
        """In English the number of samples comes with its noun."""
        values = dict(self.values)
        if lang == "en":
            count = values.get("samples")
            values["samples"] = "1 sample" if count == 1 else f"{count} samples"
        text: str = load_own(TEXTS)[self.message_id][lang]
        return text.format(**values)


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
    bytes of all tensors. `interrupted`: only what was read until then is reported. `missing` are the first
    and last samples of parts whose process has died."""

    length: int | None
    read: int
    failed: int
    parts: tuple[PartReport, ...]
    findings: tuple[DataFinding, ...]
    seconds: float
    nbytes: int
    slowest: tuple[tuple[int, float], ...] = ()
    interrupted: bool = False
    missing: tuple[tuple[int, int], ...] = ()
