"""The copy of a model on which probes run, and its inputs."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module, Parameter

from keng.run.probes.call import Call, Loss
from keng.run.probes.compare import (
    OTHER_SHAPES,
    SAME_SHAPES,
    difference,
    largest,
    ratio,
    shared_response,
    tolerance,
)
from keng.run.probes.copies import copied, fill_zeros, single
from keng.run.probes.nested import LABELS, Path, floats, fresh, leaves, name_of, rebuild
from keng.run.probes.neutral import seed
from keng.run.probes.rows import NoRows, Rows, neighbours
from keng.run.probes.texts import text

Floats = list[tuple[Path, Tensor]]
Observe = Callable[[Module, tuple[Any, ...], dict[str, Any]], Any]

MAGNIFIED = 32
"""Multiples of the response to one rounding of every parameter that a run of another shape may differ by."""


class Skip(Exception):  # noqa: N818
    """Why a probe does not apply to this call: the id of a reason in text.toml, with its values."""

    def __init__(self, reason: str, **values: Any) -> None:
        super().__init__(reason)
        self.text = text(f"skip-{reason}", **values)


class OutOfTime(Skip):
    """The time for probes is spent."""


class Stage:
    """Runs copies of one model on changed inputs. Everything happens in evaluation mode, in float32."""

    def __init__(self, call: Call, seconds: float | None = None) -> None:
        self.call = call
        self.seconds = seconds
        self.allow(seconds)
        self._model = single(copied(call.model))
        self.own = False
        self.inputs: dict[str, Any] = fresh(call.inputs())
        self.targets = fresh(call.targets)
        self.rows: Rows | None = None
        self.why = ""
        try:
            self.rows = Rows(self.inputs, self.targets, call.rows)
        except NoRows as error:
            self.why = str(error)
        if self.rows is not None and not self.rows.known:
            self._orient(self.rows)
        self._choose_rows()
        if self._writes_parameters():
            self.own = True
            self._model = single(copied(call.model))

    def allow(self, seconds: float | None) -> None:
        """Lets runs begin for so long from now on."""
        self.ends = None if seconds is None else time.perf_counter() + seconds

    def _orient(self, rows: Rows) -> None:
        """Where nothing shows which axis is the batch: the second is, if the model keeps that one's entries
        apart and not those of the first."""
        other = rows.swapped(self.inputs)
        if other is None or self._keeps_apart(rows):
            return
        if other.count < 3:
            self.rows, self.why = None, "which-axis"
        elif self._keeps_apart(other):
            self.rows = other

    def _keeps_apart(self, rows: Rows) -> bool:
        if rows.count < 3:
            return False
        base = self.outputs()
        runs = [self.outputs(rows.take(self.inputs, order)) for order in neighbours(rows.count)]
        return all(
            shared_response(one, [run[index][1] for run in runs], rows.count) <= 1
            for index, (_, one) in enumerate(base)
            if all(run[index][1].shape == one.shape for run in runs)
        )

    def _choose_rows(self) -> None:
        """Takes a few rows where the sizes allow and the model accepts them, else the batch as it is."""
        full = self.inputs, self.targets, self.rows
        few = self.rows.fewer(self.inputs) if self.rows else None
        if self.rows and few:
            self.targets = self._cut_targets(few)
            self.inputs, self.rows = self.rows.take(self.inputs, range(few)), self.rows.cut(few)
            try:
                self.base = self.run()
                return
            except OutOfTime:
                raise
            except Exception:  # state of the full batch inside, or a size that is given
                self.inputs, self.targets, self.rows = full
        self.base = self.run()

    def _cut_targets(self, few: int) -> Any:
        assert self.rows is not None
        try:
            rows = Rows(self.targets, None, self.rows.count)
        except NoRows:
            return self.targets
        return rows.take(self.targets, range(few))

    def _writes_parameters(self) -> bool:
        """Whether the forward has changed the parameters that it shares with this copy: `p.data.clamp_()`."""
        ours, theirs = self._model.parameters(), self.call.model.parameters()
        return any(
            not torch.equal(one, two.to(one.dtype)) for one, two in zip(ours, theirs, strict=True)
        )

    def run(
        self,
        inputs: Any = None,
        *,
        number: int = 0,
        again: int = 0,
        filled: bool = False,
        observe: Observe | None = None,
    ) -> Any:
        """The output for these inputs, without gradients. `again` repeats the call on the same copy."""
        with torch.no_grad():
            model = copied(self._model, share=not self.own).eval()
            return self._call(model, inputs, number, again, filled, observe)

    def run_with_gradients(
        self, inputs: Any = None, observe: Observe | None = None
    ) -> tuple[Any, Module]:
        """The output with its graph, and the copy whose parameters it is a function of."""
        model = copied(self._model).eval()
        with torch.enable_grad():
            return self._call(model, inputs, 0, 0, False, observe), model

    def _call(
        self,
        model: Module,
        inputs: Any,
        number: int,
        again: int,
        filled: bool,
        observe: Observe | None,
    ) -> Any:
        if self.ends is not None and time.perf_counter() > self.ends:
            raise OutOfTime("time")
        seed(number)
        if filled:
            fill_zeros(model)
        for _ in range(again + 1):
            seed(number)
            args, kwargs = self.call.arguments(fresh(self.inputs if inputs is None else inputs))
            out = observe(model, args, kwargs) if observe else model(*args, **kwargs)
        return out

    def outputs(self, inputs: Any = None, **how: Any) -> Floats:
        return floats(self.run(inputs, **how))

    @cached_property
    def base_outputs(self) -> Floats:
        return floats(self.base)

    @cached_property
    def moves_with_seed(self) -> float:
        """How far the output moves with another seed, in units of rounding."""
        return furthest(self.base_outputs, self.outputs(number=1), SAME_SHAPES)[0]

    @property
    def random(self) -> bool:
        return self.moves_with_seed > 1

    @cached_property
    def _sensitivity(self) -> dict[Path, float]:
        """The change of each output when every parameter moves by about one unit of rounding: a deep model
        may magnify rounding."""

        def moved(model: Module, args: Any, kwargs: Any) -> Any:
            for each in model.modules():
                for name, own in list(each._parameters.items()):
                    if own is not None and own.is_floating_point():
                        noise = torch.randn_like(own) * torch.finfo(own.dtype).eps
                        each._parameters[name] = Parameter(own.detach() * (1 + noise), False)
            return model(*args, **kwargs)

        other = floats(self.run(observe=moved))
        pairs = zip(self.base_outputs, other, strict=False)
        return {
            path: largest(difference(one, two)) if one.shape == two.shape else 0.0
            for (path, one), (_, two) in pairs
        }

    def beyond_rounding(self, path: Path, base: Tensor, gap: float) -> float:
        """A difference between runs of other shapes, in units of what rounding explains."""
        limit = tolerance(base, OTHER_SHAPES)
        if gap > limit:
            limit = max(limit, MAGNIFIED * self._sensitivity.get(path, 0.0))
        return gap / limit

    @cached_property
    def by_path(self) -> dict[Path, Tensor]:
        return dict(leaves(self.inputs))

    @cached_property
    def one_row(self) -> Floats | None:
        """The outputs for row 0 by itself; None where the model does not take one row."""
        if self.rows is None or self.rows.groups is not None:
            return None
        try:
            return self.outputs(self.rows.take(self.inputs, [0]))
        except OutOfTime:
            raise
        except Exception:  # whatever the user's forward raises for one row
            return None

    @cached_property
    def criterion(self) -> Loss | None:
        """The loss of an output and the targets: the one that is given, else what the model returns."""
        if self.call.loss is not None:
            return self.call.loss
        numbers = (
            path for path, each in leaves(self.base) if each.ndim == 0 and each.is_floating_point()
        )
        first = next(numbers, None)
        return None if first is None else lambda out, targets: dict(leaves(out))[first]

    def loss(self, inputs: Any = None, targets: Any = None) -> float | None:
        if self.criterion is None:
            return None
        with torch.no_grad():
            out = self.run(inputs)
            return float(self.criterion(out, self.targets if targets is None else targets))

    def need_rows(self, least: int = 2) -> Rows:
        if self.rows is None:
            raise Skip(self.why)
        if self.rows.count < least:
            raise Skip("few-rows", rows=self.rows.count, least=least)
        return self.rows

    @cached_property
    def sequences(self) -> list[tuple[Path, Tensor, int]]:
        """Inputs of (rows, positions) or (rows, positions, features), with the axis of positions."""
        found = []
        for path, each in leaves(self.inputs):
            axis = self.rows.axes.get(path) if self.rows and self.rows.groups is None else None
            tokens = each.ndim == 2 and each.dtype in (torch.int64, torch.int32)
            features = each.ndim == 3 and each.is_floating_point()
            if axis not in (0, 1) or not (tokens or features) or each.size(1 - axis) < 4:
                continue
            if not (tokens and int(each.max()) <= 1) and name_of(path) not in LABELS:
                found.append((path, each, 1 - axis))
        return found

    def replaced(self, path: Path, tensor: Tensor) -> Any:
        return rebuild(self.inputs, lambda each, old: tensor if each == path else old)


def furthest(base: Floats, other: Floats, factor: int) -> tuple[float, Path]:
    """The largest change of an output in units of rounding; infinite where shapes differ."""
    worst: tuple[float, Path] = (0.0, ())
    for (path, one), (_, two) in zip(base, other, strict=False):
        size = ratio(one, two, factor) if one.shape == two.shape else float("inf")
        worst = max(worst, (size, path), key=lambda each: each[0])
    return worst


def other_values(tensor: Tensor, axis: int, begin: int, end: int | None = None) -> Tensor:
    """The tensor with positions `begin` to `end` replaced by those of other rows, or by other tokens of the
    batch; negative labels stay."""
    new = tensor.clone()
    part = new.narrow(axis, begin, (end or tensor.size(axis)) - begin)
    if tensor.is_floating_point():
        part.copy_(part.flip(1 - axis) * 1.3 + 0.7 * tensor.std())
        return new
    values = torch.unique(tensor[tensor >= 0])
    place = torch.searchsorted(values, part.clamp(min=0).contiguous()) + 1 + len(values) // 3
    part.copy_(torch.where(part >= 0, values[place % len(values)], part))
    return new
