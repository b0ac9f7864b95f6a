"""Which size the failing operation expects, which one it got, and the step that made the difference."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from keng._util.texts import sentence
from keng.explain.trail.steps import Failed, Step
from keng.model import Message, ShapeStep, ShapeTrail, Span

SETTINGS = {
    "Linear": ("in_features", -1),
    "Conv1d": ("in_channels", -2),
    "Conv2d": ("in_channels", -3),
    "Conv3d": ("in_channels", -4),
    "ConvTranspose1d": ("in_channels", -2),
    "ConvTranspose2d": ("in_channels", -3),
    "ConvTranspose3d": ("in_channels", -4),
    "BatchNorm1d": ("num_features", 1),
    "BatchNorm2d": ("num_features", 1),
    "BatchNorm3d": ("num_features", 1),
    "GroupNorm": ("num_channels", 1),
    "LSTM": ("input_size", -1),
    "GRU": ("input_size", -1),
    "RNN": ("input_size", -1),
    "MultiheadAttention": ("embed_dim", -1),
}
"""The setting of a layer that gives the size of a dimension of its input."""

PRODUCTS = ("@", "matmul", "mm", "bmm")
JOINS = ("cat", "concat", "concatenate", "hstack", "vstack", "dstack", "stack")
RESHAPES = ("view", "reshape", "unflatten", "view_as")
INVALID = re.compile(r"shape '\[(?P<shape>[\d, -]+)\]' is invalid for input of size (?P<size>\d+)")
MULTIPLIED = re.compile(
    r"mat1 and mat2 shapes cannot be multiplied \(\d+x(?P<got>\d+) and (?P<expected>\d+)x\d+\)"
)
JOINED = re.compile(r"[Ee]xpected size (\d+) but got size (\d+)")
LEAST = 2
"""A size of 0 or 1 says nothing about where it came from."""


class Wanted(NamedTuple):
    """The size that an operation expects of a dimension of an operand, counted from 0, the size that it got,
    and what it calls it."""

    operand: Any
    dimension: int
    expected: int
    got: int
    setting: str = ""


def marked(trail: ShapeTrail, steps: Sequence[Step], failed: Failed, message: str) -> ShapeTrail:
    """The trail with notes on the steps that explain the failure, as far as they can be established."""
    reshaped = _reshape(failed, message)
    if reshaped is not None:
        return trail._replace(failing=trail.failing._replace(note=reshaped))
    wanted = wanted_by(failed) or product_of(failed, message)
    if wanted is not None:
        return _with_origin(trail, steps, wanted)
    pair = pair_of(failed, message)
    if pair is None:
        return trail
    (one, first), (other, second), dimension = pair
    for operand, size, against in ((one, first, second), (other, second, first)):
        step = _first_with(steps, operand, size)
        if step is not None and size >= LEAST:
            note = sentence("trail_size_made", size=size, against=against)
            trail = _noted(trail, step, note)
    note = sentence("trail_sizes_differ", dimension=dimension, one=first, other=second)
    return trail._replace(failing=trail.failing._replace(note=note))


def wanted_by(failed: Failed) -> Wanted | None:
    """Of a layer, or of a product of matrices, where its first operand does not fit."""
    if not failed.operands:
        return None
    operand, shape = failed.operands[0], tuple(failed.operands[0].shape)
    setting, dimension = SETTINGS.get(type(failed.called).__name__, ("", 0))
    if setting:
        expected = vars(failed.called).get(setting)
        index = dimension if dimension >= 0 else len(shape) + dimension
        if isinstance(expected, int) and 0 <= index < len(shape) and shape[index] != expected:
            return Wanted(operand, index, expected, shape[index], setting)
        return None
    other = tuple(failed.operands[1].shape) if len(failed.operands) > 1 else ()
    if failed.name == "linear" and shape and len(other) == 2 and shape[-1] != other[1]:
        return Wanted(operand, len(shape) - 1, other[1], shape[-1])
    if failed.name in PRODUCTS and len(shape) > 1 and len(other) > 1 and shape[-1] != other[-2]:
        return Wanted(operand, len(shape) - 1, other[-2], shape[-1])
    return None


def product_of(failed: Failed, message: str) -> Wanted | None:
    """Of a layer that computes a product inside of it: the one operand of the width that did not fit."""
    found = MULTIPLIED.search(message)
    if found is None or failed.name in PRODUCTS:
        return None
    got, expected = int(found["got"]), int(found["expected"])
    wide = [each for each in failed.operands if each.ndim > 1 and each.shape[-1] == got]
    if len(wide) != 1 or got == expected:
        return None
    return Wanted(wide[0], wide[0].ndim - 1, expected, got)


def _with_origin(trail: ShapeTrail, steps: Sequence[Step], wanted: Wanted) -> ShapeTrail:
    expected, got = wanted.expected, wanted.got
    note = sentence("trail_expected", expected=expected, got=got, dimension=wanted.dimension)
    trail = trail._replace(failing=trail.failing._replace(note=note))
    lost = _lost(steps, wanted)
    if lost is not None:
        step, index = lost
        moved = expected in tuple(step.outputs[0].shape)
        key = "trail_moved" if moved else "trail_lost"
        to = tuple(step.outputs[0].shape).index(expected) if moved else 0
        return _noted(trail, step, sentence(key, size=expected, dimension=index, to=to))
    made = _first_with(steps, wanted.operand, got)
    if made is None:
        return trail
    factors = _factors(made, got)
    if factors:
        product = " * ".join(map(str, factors))
        return _noted(trail, made, sentence("trail_product", size=got, product=product))
    return _noted(trail, made, sentence("trail_made", size=got))


def _lost(steps: Sequence[Step], wanted: Wanted) -> tuple[Step, int] | None:
    """The last step that was given the expected size in the place from which it is missing now."""
    size, operand = wanted.expected, wanted.operand
    for step in reversed(steps if size >= LEAST else ()):
        if not step.inputs or not any(each is operand for each in step.outputs):
            continue
        before = step.inputs[0]
        shape, made = tuple(before.shape), tuple(operand.shape)
        if size in shape and (size not in made or shape.index(size) != made.index(size)):
            return step, shape.index(size)
        operand = before
    return None


def _first_with(steps: Sequence[Step], operand: Any, size: int) -> Step | None:
    """The step that made a dimension of this size, on the way to an operand; None if the input has it."""
    step: Step
    for step in reversed(steps):
        if any(each is operand for each in step.outputs):
            with_size = [each for each in step.inputs if size in tuple(each.shape)]
            if not with_size:
                return step
            operand = with_size[0]
    return None


def _factors(step: Step, size: int) -> tuple[int, ...]:
    """The neighbouring dimensions of an input that were flattened into one of this size."""
    for each in step.inputs[:1]:
        shape = tuple(int(n) for n in each.shape)
        for first in range(len(shape)):
            for last in range(first + 2, len(shape) + 1):
                if math.prod(shape[first:last]) == size:
                    return shape[first:last]
    return ()


def pair_of(failed: Failed, message: str) -> tuple[tuple[Any, int], tuple[Any, int], int] | None:
    """Two operands that have to agree in a dimension, with their sizes there, and that dimension."""
    operands = [each for each in failed.operands if each.ndim]
    product = failed.name in PRODUCTS or MULTIPLIED.search(message) is not None
    if len(operands) < 2 or product or _is_composite(failed.called):
        return None
    joins = failed.name in JOINS
    said = JOINED.search(message)
    numbers = {int(each) for each in said.groups()} if said is not None else set()
    first, one = operands[0], tuple(operands[0].shape)
    for other in operands[1:]:
        two = tuple(other.shape)
        apart = _apart(one, two, broadcast=not joins)
        if joins:
            apart = (
                [n for n in apart if {one[n], two[n]} == numbers] if len(one) == len(two) else []
            )
        if apart:
            at = apart[-1]
            return (first, one[at]), (other, two[at]), len(one) + at
    return None


def _is_composite(called: Any) -> bool:
    """Whether a layer has layers of its own, which its operands go through on ways of their own."""
    parts = vars(called).get("_modules") if hasattr(called, "__dict__") else None
    return bool(parts)


def _apart(one: Sequence[int], two: Sequence[int], broadcast: bool) -> list[int]:
    """The dimensions, from the end, in which two shapes do not agree."""
    shared = range(-1, -min(len(one), len(two)) - 1, -1)
    allowed = (1,) if broadcast else ()
    return [
        n for n in shared if one[n] != two[n] and one[n] not in allowed and two[n] not in allowed
    ]


def _reshape(failed: Failed, message: str) -> Message | None:
    """Which of the new sizes fit, and what the others make."""
    said = INVALID.search(message)
    if said is None or not failed.operands:
        return None
    shape = tuple(int(n) for n in failed.operands[0].shape)
    sizes = [int(n) for n in said["shape"].split(",") if n.strip()]
    if math.prod(shape) != int(said["size"]):
        return None
    return remainder(shape, sizes)


def remainder(shape: Sequence[int], sizes: Sequence[int]) -> Message | None:
    """The sizes without those that fit at both ends, what they make, and what is left for them."""
    head = 0
    while head < min(len(shape), len(sizes)) and shape[head] == sizes[head]:
        head += 1
    tail = 0
    while tail < min(len(shape), len(sizes)) - head and shape[-1 - tail] == sizes[-1 - tail]:
        tail += 1
    rest, left = list(sizes[head : len(sizes) - tail]), shape[head : len(shape) - tail]
    if not rest or not left or (not head and not tail):
        return None
    there, open_ = math.prod(left), -1 in rest
    made = math.prod(n for n in rest if n != -1)
    product = " * ".join(str(n) for n in rest if n != -1)
    key = "trail_rest_open" if open_ else "trail_rest"
    if (open_ and made and there % made == 0) or (not open_ and made == there):
        return None
    return sentence(key, product=product, made=made, left=there)


def _noted(trail: ShapeTrail, step: Step, note: Message) -> ShapeTrail:
    """A note on the line of a step, which is added to the trail if it has no line of its own."""
    steps = list(trail.steps)
    names = (step.name, str(tuple(int(n) for n in step.outputs[0].shape)))
    for n in reversed(range(len(steps))):
        if (
            steps[n].where.line == step.node.lineno
            and steps[n].where.path == step.path
            and names in steps[n].made
        ):
            steps[n] = steps[n]._replace(note=note)
            return trail._replace(steps=tuple(steps))
    return trail._replace(
        steps=(*steps, ShapeStep(Span(step.path, step.node.lineno), (names,), note))
    )
