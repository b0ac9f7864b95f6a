"""Small tensors that the program sums over the ranks more than once: what this rank gives each time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os.path import basename
from typing import TYPE_CHECKING
from weakref import ReferenceType, ref

import torch

from keng.model import Span
from keng.ranks.collect import digests
from keng.ranks.reports import Total
from keng.run.state import unwatched

if TYPE_CHECKING:
    from torch import Tensor

SMALL = 16
"""Elements of a tensor that may be a total."""
SUMS, TENSORS = 6, 64
"""Times that are kept of a tensor, and tensors."""


@dataclass(slots=True)
class Given:
    tensor: ReferenceType[Tensor]
    where: Span
    sums: list[Tensor] = field(default_factory=list)


class Totals:
    """Numbers the tensors by the line that sums them, in the order of their first time."""

    def __init__(self) -> None:
        self._given: dict[int, Given] = {}
        self._kept: dict[str, Given] = {}
        self._often: dict[Span, int] = {}

    def give(self, tensor: Tensor, place: Callable[[], Span | None]) -> None:
        """Before the sum, when others may wait already. The line is asked for once for each tensor, and
        read when the sums are."""
        if tensor.numel() > SMALL or not digests.is_whole(tensor) or tensor.is_complex():
            return
        given = self._given.get(id(tensor))
        if given is None or given.tensor() is not tensor:
            given = self._begin(tensor, place)
        if given is not None and len(given.sums) < SUMS:
            with unwatched():
                given.sums.append(tensor.detach().sum(dtype=torch.float64))

    def _begin(self, tensor: Tensor, place: Callable[[], Span | None]) -> Given | None:
        if len(self._kept) >= TENSORS or (where := place()) is None:
            return None
        self._often[where] = number = self._often.get(where, 0) + 1
        given = Given(ref(tensor), where)
        self._given[id(tensor)] = given
        self._kept[f"{basename(where.path)} {where.line} {number}"] = given
        return given

    def draft(self, least: int, text: Callable[[Span], str]) -> Callable[[], Mapping[str, Total]]:
        """Those that have been summed so often, which are few, with the statements of their lines."""
        kept = {name: g for name, g in self._kept.items() if len(g.sums) >= least}
        begun = {name: list(given.sums) for name, given in kept.items()}

        def read() -> Mapping[str, Total]:
            return {
                name: Total(tuple(digests.numbers(begun[name])), text(given.where), given.where)
                for name, given in kept.items()
            }

        return read
