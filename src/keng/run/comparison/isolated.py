"""Compares two ways of running a forward call by call: each call of the other way is given what the program's
own was given, so that a difference shows where it arises and not where it arrives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import Module

from keng.run.comparison.results import Difference
from keng.run.comparison.values import (
    DRAWS,
    ROUNDINGS,
    Call,
    Convert,
    Key,
    Log,
    add_noise,
    coarsest,
    explained,
    gap_of,
    kept,
    logged,
    noisy,
    numbers,
    reduced,
)
from keng.run.probes.locate import Operations, Seen
from keng.run.probes.nested import rebuild
from keng.run.probes.neutral import seed

Align = Callable[[Tensor, Tensor], Tensor | None]
"""Of a value of the program and one of the other way: the part of the latter that should equal the former."""


def same_shape(ours: Tensor, theirs: Tensor) -> Tensor | None:
    return theirs if ours.shape == theirs.shape else None


@dataclass(frozen=True)
class Both:
    """The two ways. `program` and `other` make a new copy of the model each; `inputs` are the program's, and
    `convert` makes a tensor of the program's one of the other way, which runs within `context`. `others` are
    the inputs of the other way where it has more rows: then no call is given what the program's was, and
    `align` takes the program's rows. `again` makes the program's model where it is run again, if the first
    run has collectives. `factor` is for `values.explained`, `eps` the coarsest rounding inside of modules."""

    program: Callable[[], Module]
    other: Callable[[], Module]
    inputs: tuple[Any, Any]
    convert: Convert = kept
    context: Callable[[], AbstractContextManager[Any]] = nullcontext
    others: tuple[Any, Any] | None = None
    again: Callable[[], Module] | None = None
    align: Align = same_shape
    factor: int = ROUNDINGS
    eps: float = 0.0

    def run_program(self, given: Log | None = None, number: int = 0, **how: Any) -> Log:
        seed(number)
        make = self.program if given is None else self.again or self.program
        return logged(make(), self.inputs, given, **how)

    def run_other(
        self, given: Log, convert: Convert | None = None, eps: float = 0, **how: Any
    ) -> Log:
        """With `eps`, from parameters that are one rounding away."""
        seed(0)
        convert = convert or self.convert
        with self.context():
            model = add_noise(self.other(), eps) if eps else self.other()
            alike = self.others is None
            inputs = given.calls["before", "", 1].value if alike else self.others
            inputs = rebuild(inputs, lambda _, each: convert(each))
            return logged(model, inputs, given if alike else None, convert, **how)


class Compared(NamedTuple):
    """How many values were compared, the largest difference in units of the limit, and the first above it."""

    values: int
    largest: float
    difference: Difference | None


def compared(both: Both) -> Compared:
    """The first value of the program's forward that the other way does not give within rounding."""
    base = both.run_program()
    eps = max(coarsest(base), both.eps, torch.finfo(torch.float32).eps)
    random = _random(base, both.run_program(base, number=1), eps)
    other = both.run_other(base)
    responses = _responses(both, base, other, eps)
    model, largest, count = both.program(), 0.0, 0
    for call, ours, theirs, path in _pairs(base, other, both.align):
        if (call.key, path) in random:
            continue
        size = reduced(model, call.key[1])
        limit = explained(theirs, eps, size, responses.get((call.key, path), 0.0), both.factor)
        gap, count = gap_of(ours, theirs), count + 1
        if gap > limit:
            return Compared(
                count, gap / limit, _difference(both, base, call, (ours, theirs), limit, eps)
            )
        largest = max(largest, gap / limit)
    return Compared(count, largest, None)


Position = tuple[Key, tuple[Any, ...]]


def _pairs(
    base: Log, other: Log, align: Align = same_shape
) -> Iterator[tuple[Call, Tensor, Tensor, tuple[Any, ...]]]:
    """The values of both in the order of the program's, as long as both take the same way."""
    for key, call in base.calls.items():
        fellow = other.calls.get(key)
        if key == ("before", "", 1):
            continue
        if fellow is None:
            return
        theirs = dict(fellow.floats())
        for path, ours in call.floats():
            part = align(ours, theirs[path]) if path in theirs and ours.numel() else None
            if part is not None:
                yield call, ours, part, path


def _random(base: Log, again: Log, eps: float) -> set[Position]:
    """Values that another seed moves: dropout and the like."""
    return {
        (call.key, path)
        for call, one, two, path in _pairs(base, again)
        if gap_of(one, two) > explained(one, eps, 1, 0.0, 1)
    }


def _responses(both: Both, base: Log, other: Log, eps: float) -> dict[Position, float]:
    """How far each value of the other way moves if everything it is computed from is one rounding away."""
    found: dict[Position, float] = {}
    noise = noisy(eps)
    for _ in range(DRAWS):
        moved = both.run_other(base, lambda each: noise(both.convert(each)), eps)
        for call, one, two, path in _pairs(other, moved):
            at = call.key, path
            found[at] = max(found.get(at, 0.0), gap_of(one, two))
    return found


def _difference(
    both: Both, base: Log, call: Call, pair: tuple[Tensor, Tensor], limit: float, eps: float
) -> Difference:
    """At the operation where it arises, if one of the user's lines computes it, else at the call."""
    phase, name, turn = call.key
    owner, time = _caller(base, call.key) if phase == "before" else (name, turn)
    kind = _kind(both.program(), name)
    at = _operation(both, base, owner, time, eps)
    where, operation = (None, "") if call.place is None else (call.place.where, "")
    ours, theirs = numbers(*pair)
    if at is not None and at[0].place is not None and at[0].place.where is not None:
        where, operation = at[0].place.where, at[0].place.operation
        if phase == "after" and owner == name:
            (ours, theirs), limit = numbers(at[0].value, at[1].value), at[2]
    return Difference(name, kind, ours, theirs, limit, where, operation, phase == "before")


def _kind(model: Module, name: str) -> str:
    return type(dict(model.named_modules())[name]).__name__


def _caller(base: Log, key: Key) -> tuple[str, int]:
    """The call that was open when this one began."""
    open_calls = [("", 1)]
    for phase, name, turn in base.calls:
        if (phase, name, turn) == key:
            break
        if phase == "before" and name:
            open_calls.append((name, turn))
        elif phase == "after" and (name, turn) in open_calls:
            del open_calls[max(1, open_calls.index((name, turn))) :]
    return open_calls[-1]


def _operation(
    both: Both, base: Log, owner: str, turn: int, eps: float
) -> tuple[Seen, Seen, float] | None:
    """The first operation of a call of a module that differs, both ways, and what rounding explains."""
    ours = Operations(owner, turn, False)
    both.run_program(base, operations=ours)
    theirs = Operations(owner, turn, False)
    both.run_other(base, operations=theirs)
    for one, two in zip(ours.log, theirs.log, strict=False):
        part = both.align(one.value, two.value)
        if one.key != two.key:
            return None
        if part is None:
            continue
        limit = explained(part, eps, 1, 0.0, both.factor)
        if gap_of(one.value, part) > limit:
            return one, replace(two, value=part), limit
    return None
