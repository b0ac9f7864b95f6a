"""The line at which a condition first breaks.

First the module, by the values before and after each call of one: a value that is wrong before a call comes
from the code of the caller, one that is wrong after it from the module itself. Then the operations of that
module alone, in the order in which they ran.
"""

from __future__ import annotations

import linecache
import sys
import tokenize
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module, RNNBase
from torch.nn.utils import rnn
from torch.nn.utils.rnn import PackedSequence
from torch.overrides import TorchFunctionMode

from keng.model import Span
from keng.run.frames import OURS, is_user
from keng.run.probes.compare import (
    OTHER_POSITIONS,
    OTHER_SHAPES,
    SAME_SHAPES,
    difference,
    largest,
    other_rows,
    shared_response,
    tolerance,
)
from keng.run.probes.nested import leaves
from keng.run.probes.results import Place
from keng.run.probes.stage import Stage

TORCH = torch.__path__[0]
PACKING = rnn.__file__
STATISTICS = {
    "mean", "sum", "std", "var", "var_mean", "std_mean", "norm", "max", "min", "amax", "amin", "median",
    "logsumexp", "batch_norm", "quantile", "cumsum", "sort", "topk", "argsort", "vector_norm", "aminmax",
    "nanmean", "nansum", "prod", "expand", "mul", "sub", "add", "div", "truediv", "rsub",
}  # fmt: skip
"""Operations that reduce over the batch, or combine rows with one number of it: a statistic of the batch may
be meant (minibatch deviation, statistics by hand, expert capacity)."""
LONGEST = 60
RECURRENT = {"lstm", "gru", "rnn_tanh", "rnn_relu"}


@dataclass(frozen=True)
class Test:
    """A condition on values. `breaks(value, values)` says why one breaks it, or nothing, given the value of
    the base run and those of the changed ones. `positioned(value)` tells whether the condition can be seen in
    a value of that shape; `steps`, for positions, is their number and how many of them must not move: a
    line that runs once for each position is judged by its turn. With `whole`, whole numbers count too."""

    breaks: Callable[[Tensor, list[Tensor]], str]
    positioned: Callable[[Tensor], bool]
    steps: tuple[int, int] | None = None
    whole: bool = False


@dataclass(frozen=True)
class Seen:
    """One value on the way: of a call of a module, before or after, or of an operation. `read` are the
    places in the log of the values that it was computed from."""

    key: tuple[str, str, int]
    value: Tensor
    place: Place | None = None
    read: tuple[int, ...] = ()


def locate(stage: Stage, base: Any, changed: list[Any], test: Test) -> Place | None:
    """The first operation whose result breaks the condition, with the reason that the test gives."""
    runs = [_calls(stage, inputs) for inputs in (base, *changed)]
    guilty, _ = _first(runs, test)
    owner, turn = ("", 0)
    if guilty is not None:
        call = runs[0][guilty]
        owner, turn = _caller(runs[0], call) if call.key[0] == "before" else call.key[1:]
    for name, time in {(owner, turn): None, ("", 0): None}:
        inner = [_operations(stage, inputs, name, time, test.whole) for inputs in (base, *changed)]
        found, why = _first(inner, test)
        if found is not None:
            place = inner[0][_origin(inner, found, test)].place
            return replace(place, why=why) if place is not None else None
    return None


def _first(runs: list[list[Seen]], test: Test) -> tuple[int | None, str]:
    """The index of the first value that fails and why, as long as all runs take the same way."""
    turns = _turns(runs[0], test)
    for index, each in enumerate(zip(*runs, strict=False)):
        one, *others = each
        if any(other.key[:2] != one.key[:2] for other in others):
            break
        values = [other.value for other in others]
        why = test.breaks(one.value, values)
        if (
            not why
            and index in turns
            and not test.positioned(one.value)
            and _moved(one.value, values)
        ):
            why = "moves"
        if why:
            return index, why
    return None, ""


def _turns(log: list[Seen], test: Test) -> set[int]:
    """The values of lines that run once for each position, in the turns that must not move."""
    if test.steps is None:
        return set()
    count, begin = test.steps
    lines: dict[Any, list[int]] = {}
    for index, each in enumerate(log):
        if each.place is not None and each.place.where is not None:
            lines.setdefault((each.place.where, each.key[1]), []).append(index)
    return {index for found in lines.values() if len(found) == count for index in found[:begin]}


def _origin(runs: list[list[Seen]], index: int, test: Test) -> int:
    """Where a value without rows or positions came into being that the guilty one was computed from: the
    deviation of the whole batch, not the division by it."""
    for read in runs[0][index].read:
        values = [run[read].value for run in runs if read < len(run)]
        if (
            len(values) == len(runs)
            and not test.positioned(values[0])
            and _moved(values[0], values[1:])
        ):
            return _origin(runs, read, test)
    return index


def _moved(base: Tensor, others: list[Tensor]) -> bool:
    return all(each.shape == base.shape and exceeds(base, each, OTHER_POSITIONS) for each in others)


def exceeds(base: Tensor, other: Tensor, factor: int) -> bool:
    return largest(difference(base, other)) > tolerance(base, factor)


def _caller(calls: list[Seen], guilty: Seen) -> tuple[str, int]:
    """The call that was open when the guilty one began."""
    open_calls: list[tuple[str, int]] = [("", 0)]
    for each in calls:
        phase, name, turn = each.key
        call = (name, turn)
        if each is guilty:
            return next(call for call in reversed(open_calls) if call != (name, turn))
        if phase == "before" and open_calls[-1] != call:
            open_calls.append(call)
        elif phase == "after" and call in open_calls[1:]:
            del open_calls[open_calls.index(call) :]
    return "", 0


def _calls(stage: Stage, inputs: Any) -> list[Seen]:
    """The floating-point inputs and outputs of every call of a module, in order."""
    log: list[Seen] = []
    turns: dict[str, int] = {}

    def watched(model: Module, args: Any, kwargs: Any) -> Any:
        for name, module in model.named_modules():
            if name:
                module.register_forward_pre_hook(
                    lambda _, a, k, name=name: _before(log, turns, name, (a, k)),
                    with_kwargs=True,
                )
            module.register_forward_hook(
                lambda module, a, out, name=name: _log(
                    log,
                    ("after", name, turns.get(name, 0)),
                    _told(out, isinstance(module, RNNBase)),
                )
            )
        return model(*args, **kwargs)

    stage.run(inputs, observe=watched)
    return log


def _before(log: list[Seen], turns: dict[str, int], name: str, given: Any) -> None:
    turns[name] = turns.get(name, 0) + 1
    _log(log, ("before", name, turns[name]), given)


def _log(log: list[Seen], key: tuple[str, str, int], values: Any) -> None:
    log.extend(Seen(key, each.detach().clone()) for each in _floats(values))


def _told(out: Any, recurrent: bool) -> Any:
    """Without the last state of a recurrent layer: padding moves it, and the model may not use it."""
    return out[:1] if recurrent and isinstance(out, tuple) else out


def _floats(values: Any) -> Iterator[Tensor]:
    """Floating-point tensors; a packed sequence as (rows, positions, features)."""
    if isinstance(values, tuple) and any(isinstance(each, PackedSequence) for each in values):
        values = [_padded(each) for each in values]
    for _, each in leaves(_padded(values)):
        if each.is_floating_point():
            yield each


def _padded(value: Any) -> Any:
    if isinstance(value, PackedSequence):
        return rnn.pad_packed_sequence(value, batch_first=True)[0]
    return value


def _operations(stage: Stage, inputs: Any, owner: str, turn: int, whole: bool) -> list[Seen]:
    """The results of the operations of one call of a module; a call of another module is one operation."""
    mode = Operations(owner, turn, whole)

    def watched(model: Module, args: Any, kwargs: Any) -> Any:
        for name, module in model.named_modules():
            module.register_forward_pre_hook(lambda _, a, name=name: mode.enter(name))
            module.register_forward_hook(
                lambda module, a, k, out, name=name: mode.leave(
                    name, (a, k), _told(out, isinstance(module, RNNBase))
                ),
                with_kwargs=True,
            )
        with mode:
            return model(*args, **kwargs)

    stage.run(inputs, observe=watched)
    return mode.log


class Operations(TorchFunctionMode):
    """Records what torch functions return while one call of a module is the innermost."""

    def __init__(self, owner: str, turn: int, whole: bool) -> None:
        super().__init__()
        self.log: list[Seen] = []
        self._owner, self._turn, self._whole = owner, max(turn, 1), whole
        self._open: list[tuple[str, int]] = []
        self._turns: dict[str, int] = {}
        self._made: dict[int, tuple[Tensor, int]] = {}

    def enter(self, name: str) -> None:
        self._turns[name] = self._turns.get(name, 0) + 1
        self._open.append((name, self._turns[name]))

    def leave(self, name: str, given: Any, out: Any) -> None:
        """A module counts as one operation of its caller."""
        if self._open and self._open[-1][0] == name:
            self._open.pop()
        if self._watches():
            with torch._C.DisableTorchFunction():
                self._note(name.rpartition(".")[2] or "forward", given, out)

    def _watches(self) -> bool:
        return bool(self._open) and self._open[-1] == (self._owner, self._turn)

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        out = function(*args, **(kwargs or {}))
        name = getattr(function, "__name__", str(function))
        if name not in ("__get__", "__set__") and self._watches() and not _packs(sys._getframe(1)):
            self._note(name, (args, kwargs), _told(out, name in RECURRENT))
        return out

    def _note(self, name: str, given: Any, out: Any) -> None:
        found = [
            each for _, each in leaves(_padded(out)) if each.is_floating_point() or self._whole
        ]
        if not found:
            return
        place = place_of(name, self._owner)
        read = tuple(self._made[id(each)][1] for _, each in leaves(given) if id(each) in self._made)
        for each in found:
            value = each.detach().clone()
            self._made[id(each)] = each, len(self.log)
            value = value if value.is_floating_point() else value.double()
            self.log.append(Seen(("operation", name, 0), value, place, read))


def place_of(operation: str, module: str) -> Place:
    """The user's line that runs now: the innermost frame outside torch and outside installed libraries."""
    frame: FrameType | None = sys._getframe(2)
    library: FrameType | None = None
    while frame is not None and not _ends(frame):
        path = frame.f_code.co_filename
        if not path.startswith((TORCH, OURS)):  # our taps lie between the frames of the program
            if is_user(path):
                return _place(frame, operation, module, False)
            library = library or frame
        frame = frame.f_back
    return _place(library, operation, module, True) if library else Place(None, module, operation)


def _packs(frame: FrameType) -> bool:
    """Packing sorts the rows: what is compared row by row would differ."""
    return frame.f_code.co_filename == PACKING


def _ends(frame: FrameType) -> bool:
    """The frame that called the model from here: beyond it lies the program."""
    return frame.f_code.co_name == "watched" and frame.f_code.co_filename.startswith(OURS)


def _place(frame: FrameType, operation: str, module: str, library: bool) -> Place:
    path, line = frame.f_code.co_filename, frame.f_lineno
    return Place(Span(path, line), module, operation, _code(linecache.getline(path, line)), library)


def _code(line: str) -> str:
    """A line without its comment, at most `LONGEST` characters of it."""
    line = line.strip()
    with suppress(tokenize.TokenError, SyntaxError):  # a line of several ends within a bracket
        for token in tokenize.generate_tokens(iter([line]).__next__):
            if token.type == tokenize.COMMENT:
                line = line[: token.start[1]].rstrip()
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def rows_mix(count: int) -> Test:
    """Two rows move one element; or what two rows move no axis distinguishes: a wrong view mixes
    nothing, the reduction after it does; or a row moves another's."""

    def breaks(base: Tensor, others: list[Tensor]) -> str:
        if base.numel() < count or any(each.shape != base.shape for each in others):
            return ""
        if shared_response(base, others, count) > 1:
            return "meets"
        if layout_broken(base, others):
            return "layout"
        axes = [axis for axis in range(base.ndim) if base.size(axis) == count]
        strays = len(axes) == 1 and other_rows(base, others, axes[0]) > 1
        return "moves" if strays and not _folded(base, others, count) else ""

    return Test(breaks, lambda value: any(size % count == 0 for size in value.shape), whole=True)


def _folded(base: Tensor, others: list[Tensor], count: int) -> bool:
    """Whether each row keeps to its own block, or to every `count`th entry, of some axis."""
    for axis, size in enumerate(base.shape):
        if size % count:
            continue
        moved = [_reached(base, other, axis) for other in others]
        blocks = [each.reshape(count, -1).any(1) for each in moved]
        spread = [each.reshape(-1, count).any(0) for each in moved]
        for kept in (blocks, spread):
            if all(
                int(each.sum()) <= 1 and not each.sum() > each[row] for row, each in enumerate(kept)
            ):
                return True
    return False


def _reached(base: Tensor, other: Tensor, axis: int) -> Tensor:
    """The entries of an axis at which something moves."""
    moved = difference(base, other) > tolerance(base, SAME_SHAPES)
    return moved.movedim(axis, 0).reshape(base.size(axis), -1).any(1)


def layout_broken(base: Tensor, others: list[Tensor]) -> bool:
    """Whether what two rows move meets on every axis."""
    if not base.ndim or any(each.shape != base.shape for each in others):
        return False
    reached = [[_reached(base, other, axis) for axis in range(base.ndim)] for other in others]
    if not all(axes[0].any() for axes in reached):
        return False
    pairs = ((one, two) for i, one in enumerate(reached) for two in reached[:i])
    return any(
        all(bool((x & y).any()) for x, y in zip(one, two, strict=True)) for one, two in pairs
    )


def rows_roll(count: int, order: list[int]) -> Test:
    """Rolled rows give something else than the rolled result; what is the same in both is no row's."""

    def breaks(base: Tensor, others: list[Tensor]) -> str:
        other = others[0]
        axes = [axis for axis in range(base.ndim) if base.size(axis) == count]
        if other.shape != base.shape or not axes or torch.equal(base, other):
            return ""
        index = torch.tensor(order, device=base.device)
        gaps = [largest(difference(base.index_select(axis, index), other)) for axis in axes]
        return "rolls" if min(gaps) > tolerance(base, OTHER_SHAPES) else ""

    return Test(breaks, lambda value: True)


def row_alone(count: int) -> Test:
    """Row 0 by itself gives something else than in its batch."""

    def breaks(base: Tensor, others: list[Tensor]) -> str:
        other = others[0]
        if base.ndim != other.ndim or base.shape[1:] != other.shape[1:] or not base.ndim:
            return ""
        if base.size(0) != count * other.size(0) or not base.numel():
            return ""
        return "moves" if exceeds(base[: other.size(0)], other, OTHER_SHAPES) else ""

    return Test(breaks, lambda value: True)


def earlier_moves(rows: int, length: int, begin: int) -> Test:
    """A position before `begin` moves. Values with two axes of that length are raw scores."""

    def breaks(base: Tensor, others: list[Tensor]) -> str:
        other = others[0]
        if other.shape != base.shape:
            return ""
        base, other = _unfolded(base, rows, length), _unfolded(other, rows, length)
        axes = [axis for axis in range(base.ndim) if base.size(axis) == length]
        if len(axes) != 1:
            return ""
        gap = difference(base, other).movedim(axes[0], 0)[:begin]
        return "moves" if largest(gap) > tolerance(base, OTHER_POSITIONS) else ""

    def positioned(value: Tensor) -> bool:
        return length in _unfolded(value, rows, length).shape

    return Test(breaks, positioned, steps=(length, begin))


def valid_moves(absent: Tensor) -> Test:
    """A real position moves, or a value of a row without positions."""
    rows, length = absent.shape

    def breaks(base: Tensor, others: list[Tensor]) -> str:
        other = others[0]
        if other.shape != base.shape or not base.ndim:
            return ""
        limit = tolerance(base, OTHER_POSITIONS)
        base, other = _unfolded(base, rows, length), _unfolded(other, rows, length)
        gap = difference(base, other)
        if base.size(0) == int((~absent).sum()):  # packed
            return "moves" if largest(gap) > limit else ""
        places = [axis for axis in range(base.ndim) if base.size(axis) == length]
        owners = [axis for axis in (0, 1) if axis < base.ndim and base.size(axis) == rows]
        if len(places) > 1 or not owners:
            return ""
        if places:
            gap = gap.movedim((owners[0], places[0]), (0, 1))[~absent]
        return "moves" if largest(gap) > limit else ""

    return Test(breaks, lambda value: True)


def shorter_differs(kept: Tensor, length: int) -> Test:
    """A row without its padding gives something else than with it."""

    def breaks(base: Tensor, others: list[Tensor]) -> str:
        other = others[0]
        if base.ndim != other.ndim or sum(size == length for size in base.shape) > 1:
            return ""
        for axis in range(base.ndim):
            if base.size(axis) == length and other.size(axis) == len(kept):
                base = base.index_select(axis, kept)
        if base.shape != other.shape or not base.numel():
            return ""
        return "moves" if exceeds(base, other, OTHER_SHAPES) else ""

    return Test(breaks, lambda value: True)


def _unfolded(value: Tensor, rows: int, length: int) -> Tensor:
    """(rows * positions, ...) as (rows, positions, ...)."""
    folded = value.ndim and value.size(0) == rows * length and length not in value.shape[1:]
    return value.reshape(rows, length, *value.shape[1:]) if folded else value
