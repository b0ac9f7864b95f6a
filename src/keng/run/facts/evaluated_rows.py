"""The rows that a model is evaluated on, against those that it was trained on."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet, ref

import torch

from keng.model import Span
from keng.run.events import EpochBegin, Forward, InferenceEnd, RootModule, RunEnd
from keng.run.frames import here
from keng.run.recorder import Fact, Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

ROWS, VALUES = 20_000, 64
"""Rows that are known again, by so many values spread over them."""
LARGEST = 4_000_000
"""Values of an input that is followed."""
SAME = 16
"""Training forwards without a new row, after which the training set is known."""
ALONE = 8
"""Rows of a call that were all trained on, which is no evaluation of the others."""
UNITS = 24
"""Evaluations that are shown."""


class EvaluatedRows(Fact):
    """A module that was trained has been run without training on `rows` rows, by calls of one line and, where
    they come from a DataLoader, in one pass over it.

    `distinct` of them are different, and `known` of these were trained on; `trained` counts the different
    rows that were seen in training. Of a tensor (N, F), (N, T, F) or (N, C, H, W) of real numbers, `means`
    and `deviations` (population) are those of each of the F features or C channels over all rows; else they
    are empty. `whole` if the input has whole numbers, as ids are; `repeated` where rows of the training have
    come again exactly, which nothing then has changed at random."""

    rows: int
    distinct: int
    known: int
    trained: int
    means: list[float]
    deviations: list[float]
    whole: bool
    repeated: bool
    where: Span | None


@dataclass(slots=True)
class Unit:
    """One evaluation under way."""

    key: Hashable
    module: ref[Module]
    where: Span | None
    count: int = 0
    digests: set[int] = field(default_factory=set)
    known: set[int] = field(default_factory=set)
    elements: int = 0
    sums: Tensor | None = None
    squares: Tensor | None = None
    plain: bool = True
    whole: bool = False

    def add(self, rows: Tensor, digests: list[int], trained: dict[int, None]) -> None:
        known = [d for d in digests if d in trained]
        if len(known) == len(digests) >= ALONE:
            return
        self.count += len(digests)
        self.digests.update(digests)
        self.known.update(known)
        self.whole = not rows.is_floating_point()
        over = _all_but_features(rows)
        if over is None or self.whole:
            self.plain = False
        if self.plain and over is not None:
            numbers = rows.detach().double()
            sums, squares = numbers.sum(over), numbers.square().sum(over)
            if self.sums is not None and self.sums.shape != sums.shape:
                self.plain = False
                return
            self.elements += numbers.numel() // max(1, sums.numel())
            self.sums = sums if self.sums is None else self.sums + sums
            self.squares = squares if self.squares is None else self.squares + squares

    def moments(self) -> tuple[list[float], list[float]]:
        if not self.plain or self.sums is None or self.squares is None:
            return [], []
        mean = self.sums / self.elements
        variance = (self.squares / self.elements - mean.square()).clamp(min=0)
        return mean.tolist(), variance.sqrt().tolist()


class SplitRows(Recorder):
    """Follows the first input of each root module, on the CPU: in training until it has no more new rows, and
    in calls without gradients."""

    provides = (EvaluatedRows,)
    dormant = (Forward,)
    sampled = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.trained: WeakKeyDictionary[Module, dict[int, None]] = WeakKeyDictionary()
        self.same: WeakKeyDictionary[Module, int] = WeakKeyDictionary()
        self.unsettled: WeakSet[Module] = WeakSet()
        self.unit: Unit | None = None
        self.passes = self.shown = 0

    def epoch_begin(self, event: EpochBegin) -> None:
        self.passes += 1

    def root_module(self, event: RootModule) -> None:
        if next(event.module.parameters(), None) is not None:
            self.unsettled.add(event.module)
            self.listen(Forward)

    def forward(self, event: Forward) -> None:
        module = event.module
        if module.training and torch.is_grad_enabled() and module in self.unsettled:
            rows = _rows(event.inputs)
            if rows is not None:
                with unwatched():
                    self._train(module, rows)

    def inference_end(self, event: InferenceEnd) -> None:
        rows = _rows(event.inputs) if event.module in self.trained else None
        if rows is not None and self.shown < UNITS:
            with unwatched():
                self._evaluate(event.module, rows)

    def run_end(self, event: RunEnd) -> None:
        self._close()

    def _train(self, module: Module, rows: Tensor) -> None:
        known = self.trained.setdefault(module, {})
        before = len(known)
        known.update(dict.fromkeys(_digests(rows)))
        same = self.same[module] = self.same.get(module, 0) + 1 if len(known) == before else 0
        if len(known) >= ROWS or same == SAME:
            self.unsettled.discard(module)
        if not self.unsettled:
            self.ignore(Forward)

    def _evaluate(self, module: Module, rows: Tensor) -> None:
        where = here()
        key = id(module), where, self.passes, self.run.step
        if self.unit is None or self.unit.key != key:
            self._close()
            self.unit = Unit(key, ref(module), where)
        if self.unit.count < ROWS:
            self.unit.add(rows, _digests(rows), self.trained[module])

    def _close(self) -> None:
        unit, self.unit = self.unit, None
        module = unit.module() if unit is not None else None
        if unit is None or not unit.count or module is None or self.shown == UNITS:
            return
        self.shown += 1
        means, deviations = unit.moments()
        self.show(
            EvaluatedRows(
                self.run,
                rows=unit.count,
                distinct=len(unit.digests),
                known=len(unit.known),
                trained=len(self.trained.get(module, ())),
                means=means,
                deviations=deviations,
                whole=unit.whole,
                repeated=self.same.get(module, 0) > 1,
                where=unit.where,
            )
        )


def _rows(inputs: list[Tensor]) -> Tensor | None:
    """The first input with several dimensions, if it is followed."""
    rows = next((t for t in inputs if t.dim() > 1), None)
    return rows if rows is not None and _is_followed(rows) else None


def _is_followed(rows: Tensor) -> bool:
    plain = rows.is_cpu and rows.layout is torch.strided and not rows.is_complex()
    plain = plain and not rows.is_quantized
    return plain and 1 < rows.numel() <= LARGEST and rows.dtype is not torch.bool


def _all_but_features(rows: Tensor) -> tuple[int, ...] | None:
    """The dimensions over which the moments of a feature are taken."""
    return {2: (0,), 3: (0, 1), 4: (0, 2, 3)}.get(rows.dim())


def _digests(rows: Tensor) -> list[int]:
    flat = rows.detach().reshape(rows.shape[0], -1)
    apart = max(1, -(-flat.shape[1] // VALUES))
    numbers: Any = flat[:, ::apart]
    if numbers.dtype in (torch.bfloat16, torch.float16):
        numbers = numbers.float()
    return [hash(row.tobytes()) for row in numbers.contiguous().numpy()]
