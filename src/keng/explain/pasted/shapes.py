"""The shapes that operators give to tensors whose shapes are known; None where they would fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from keng.explain.pasted.values import broadcast

Shape = tuple[int, ...]


def place(dim: Any, count: int) -> int | None:
    """A dimension counted from the front."""
    known = type(dim) is int and -count <= dim < count
    return dim % count if known and count else None


def viewed(shape: Shape, sizes: Sequence[Any]) -> Shape | None:
    if not all(type(each) is int for each in sizes) or list(sizes).count(-1) > 1:
        return None
    known, elements = prod(each for each in sizes if each != -1), prod(shape)
    if -1 not in sizes:
        return tuple(sizes) if known == elements else None
    if not known or elements % known:
        return None
    return tuple(elements // known if each == -1 else each for each in sizes)


def permuted(shape: Shape, order: Sequence[Any]) -> Shape | None:
    places = [place(each, len(shape)) for each in order]
    if len(places) != len(shape) or None in places or len({*places}) < len(places):
        return None
    return tuple(shape[each] for each in places if each is not None)


def swapped(shape: Shape, given: Sequence[Any]) -> Shape | None:
    if len(given) != 2:
        return None
    one, other = (place(each, len(shape)) for each in given)
    if one is None or other is None:
        return None
    order = [*range(len(shape))]
    order[one], order[other] = order[other], order[one]
    return tuple(shape[each] for each in order)


def turned(shape: Shape, given: Sequence[Any]) -> Shape | None:
    return shape[::-1] if len(shape) <= 2 else None


def unsqueezed(shape: Shape, given: Sequence[Any]) -> Shape | None:
    at = place(given[0], len(shape) + 1) if len(given) == 1 else None
    return (*shape[:at], 1, *shape[at:]) if at is not None else None


def squeezed(shape: Shape, given: Sequence[Any]) -> Shape | None:
    if not given:
        return tuple(each for each in shape if each != 1)
    at = place(given[0], len(shape))
    if at is None:
        return None
    return shape if shape[at] != 1 else (*shape[:at], *shape[at + 1 :])


def flattened(shape: Shape, given: Sequence[Any]) -> Shape | None:
    start, end = (*given, *(0, -1)[len(given) :])[:2]
    first, last = place(start, max(len(shape), 1)), place(end, max(len(shape), 1))
    if first is None or last is None or first > last:
        return None
    return (*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :])


def expanded(shape: Shape, sizes: Sequence[Any]) -> Shape | None:
    if not all(type(each) is int for each in sizes) or len(sizes) < len(shape):
        return None
    old = (*(1,) * (len(sizes) - len(shape)), *shape)
    pairs = [*zip(old, sizes, strict=True)]
    if any(new not in (-1, size) and size != 1 for size, new in pairs):
        return None
    return tuple(size if new == -1 else new for size, new in pairs)


def repeated(shape: Shape, times: Sequence[Any]) -> Shape | None:
    if not all(type(each) is int for each in times) or len(times) < len(shape):
        return None
    old = (*(1,) * (len(times) - len(shape)), *shape)
    return tuple(size * each for size, each in zip(old, times, strict=True))


def reduced(shape: Shape, dims: Any, keep: bool) -> Shape | None:
    if dims is None:
        return (1,) * len(shape) if keep else ()
    places = {place(each, len(shape)) for each in (dims if type(dims) is tuple else (dims,))}
    if None in places:
        return None
    sizes = (1 if n in places else size for n, size in enumerate(shape))
    return tuple(size for n, size in enumerate(sizes) if keep or n not in places)


def multiplied(one: Shape, other: Shape) -> Shape | None:
    """Of a matrix product."""
    if not one or not other:
        return None
    left = one if len(one) > 1 else (1, *one)
    right = other if len(other) > 1 else (*other, 1)
    batch = broadcast([left[:-2], right[:-2]])
    if batch is None or left[-1] != right[-2]:
        return None
    rows, columns = left[-2:-1] if len(one) > 1 else (), right[-1:] if len(other) > 1 else ()
    return (*batch, *rows, *columns)


def joined(shapes: Sequence[Shape], dim: Any) -> Shape | None:
    first = shapes[0]
    at = place(dim, len(first))
    if at is None or any(len(each) != len(first) for each in shapes):
        return None
    rest = {(*each[:at], *each[at + 1 :]) for each in shapes}
    if len(rest) > 1:
        return None
    return (*first[:at], sum(each[at] for each in shapes), *first[at + 1 :])


def stacked(shapes: Sequence[Shape], dim: Any) -> Shape | None:
    at = place(dim, len(shapes[0]) + 1)
    if at is None or len({*shapes}) > 1:
        return None
    return (*shapes[0][:at], len(shapes), *shapes[0][at:])


def indexed(shape: Shape, at: Any) -> Shape | None:
    """With whole numbers, slices of such, None and one `...`."""
    places = list(at) if type(at) is tuple else [at]
    if not all(each is None or each is ... or type(each) in (int, slice) for each in places):
        return None
    taken = sum(each is not None and each is not ... for each in places)
    if taken > len(shape) or places.count(...) > 1:
        return None
    if ... not in places:
        places.append(...)
    n = places.index(...)
    places[n : n + 1] = [slice(None)] * (len(shape) - taken)
    sizes, left = [], list(shape)
    for each in places:
        if each is None:
            sizes.append(1)
        elif type(each) is slice:
            sizes.append(len(range(left.pop(0))[each]))
        else:
            size = left.pop(0)
            if not -size <= each < size:
                return None
    return tuple(sizes)


BY_NUMBERS: dict[str, Callable[[Shape, Sequence[Any]], Shape | None]] = {
    **dict.fromkeys(("view", "reshape"), viewed),
    "permute": permuted,
    **dict.fromkeys(("transpose", "swapaxes", "swapdims"), swapped),
    "t": turned,
    "unsqueeze": unsqueezed,
    "squeeze": squeezed,
    "flatten": flattened,
    **dict.fromkeys(("expand", "broadcast_to"), expanded),
    "repeat": repeated,
}
"""Operators of one tensor and numbers, given one by one or as one tuple."""
