"""The values that are computed while a function is followed: which of them may be read, called or changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from keng.explain.reasons import evaluation
from keng.explain.reasons.evaluation import attributes, is_a
from keng.explain.trail.meta import MetaCopies, is_torchs
from keng.explain.trail.steps import Unknown
from keng.explain.trail.whitelist import PLAIN

MOST_ROUNDS = 400


class Values:
    """Tensors are replaced by copies on the meta device. Nothing here runs code of the program."""

    def __init__(self, torch: Any) -> None:
        self.copies = MetaCopies(torch)
        self._torch = torch
        self._containers: dict[int, Any] = {}

    def is_tensor(self, value: Any) -> bool:
        return is_a(value, self._torch.Tensor)

    def is_module(self, value: Any) -> bool:
        return is_a(value, self._torch.nn.Module)

    def made(self, value: Any) -> Any:
        """With the copy of a tensor in its place."""
        return self.copies.of(value) if self.is_tensor(value) else value

    def new(self, value: Any) -> Any:
        """A container made here, which may be changed."""
        self._containers[id(value)] = value
        return value

    def is_new(self, value: Any) -> bool:
        return id(value) in self._containers

    def elements(self, value: Any) -> Iterator[Any]:
        """What a loop over it gives. Raises Unknown."""
        kind = type(value)
        if (
            kind in (list, tuple, set, frozenset, range, dict, str, zip, enumerate)
            or evaluation.is_shape(value)
            or kind in evaluation.VIEWS
            or kind.__name__ == "reversed"
        ):
            yield from value
        elif self.is_tensor(value):
            if not value.ndim or value.shape[0] > MOST_ROUNDS:
                raise Unknown
            yield from self.copies.own(list(value.unbind(0)))
        elif is_torchs(kind) and kind.__name__ in ("ModuleList", "Sequential"):
            yield from list(attributes(value)["_modules"].values())
        else:
            raise Unknown

    def parts(self, value: Any, count: int) -> list[Any]:
        if self.is_tensor(value):
            parts = list(value.unbind(0)) if value.ndim and value.shape[0] == count else []
            self.copies.own(parts)
        else:
            parts = list(self.elements(value))
        if len(parts) != count:
            raise Unknown
        return parts

    def truth(self, value: Any) -> bool:
        kind = type(value)
        if kind in (*PLAIN, list, tuple, dict, set, frozenset, FunctionType, type):
            return bool(value)
        if evaluation.is_shape(value):
            return tuple.__len__(value) > 0
        if self.is_module(value):
            parts = attributes(value).get("_modules")
            return bool(parts) if kind.__name__ in ("ModuleList", "ModuleDict") else True
        raise Unknown

    def plainly(self, function: Callable[..., Any], *values: Any) -> Any:
        """Of values whose operators run no code of the program."""
        for each in values:
            if not self.is_plain(each):
                raise Unknown
        try:
            return self.copies.own(function(*values))
        except Exception:
            raise Unknown from None

    def is_plain(self, value: Any) -> bool:
        if type(value) in PLAIN or self.copies.is_own(value) or evaluation.is_shape(value):
            return True
        if type(value) in (list, tuple):
            return all(self.is_plain(each) or self.is_module(each) for each in value)
        torch = self._torch
        return type(value) in (torch.dtype, torch.device, torch.layout, torch.memory_format)

    def length(self, value: Any) -> int:
        if is_torchs(type(value)):
            return len(attributes(value)["_modules"])
        try:
            return evaluation.length(value)
        except evaluation.Unknown:
            raise Unknown from None

    def tensors(self, values: Any, depth: int = 0) -> Iterator[Any]:
        for each in values:
            if self.is_tensor(each):
                yield each
            elif type(each) in (list, tuple) and depth < 3:
                yield from self.tensors(each, depth + 1)
            elif is_a(each, tuple) and depth < 3:
                yield from self.tensors(tuple.__iter__(each), depth + 1)
            elif type(each) is dict and depth < 3:
                yield from self.tensors(each.values(), depth + 1)


def same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if type(one) not in PLAIN or type(other) not in PLAIN:
        raise Unknown
    return bool(one == other)
