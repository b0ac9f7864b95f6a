"""Models whose gradients the program itself makes one of all ranks, between backward and the optimizer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from keng._util.record import Record
from keng.model import Span

MANY = 64
"""Numbers that do not come out alike on all ranks by chance."""
CLOSE, FAR = 1e-3, 1e-2
"""Of the size of the gradients: what rounding may change, and what it does not."""


class Gradient(NamedTuple):
    """Of a parameter and its gradient before the optimizer's step. `parameter`, `own` and `taken` are
    digests: of the parameter, of the gradient after backward, and of that which the optimizer takes;
    the sums are those of the two, `size` that of the first one's absolute values. `there` is whether a
    gradient is taken."""

    parameter: int
    own: int
    taken: int
    own_sum: float
    taken_sum: float
    size: float
    numbers: int
    there: bool = True


class ByHand(NamedTuple):
    """A model without a wrapper, as one rank has it, its optimizer by its class, and the line that steps."""

    name: str
    optimizer: str
    where: Span | None
    gradients: Mapping[str, Gradient]


class Reduction(Record):
    """The same model on all ranks."""

    of: Mapping[int, ByHand]

    @property
    def first(self) -> ByHand:
        return next(iter(self.of.values()))

    @cached_property
    def _by_name(self) -> dict[str, list[Gradient]]:
        every = [model.gradients for model in self.of.values()]
        return {
            name: [g[name] for g in every] for name in every[0] if all(name in g for g in every)
        }

    @cached_property
    def reduced(self) -> list[str]:
        """The parameters whose gradients were each rank's own and are now one of them all: their sum or
        mean, or so many numbers that they are not alike by chance."""
        return [n for n, each in self._by_name.items() if _is_one(each) and _was_reduced(each)]

    @cached_property
    def own(self) -> list[str]:
        """Those that the ranks have alike, and whose gradients are still each rank's own."""
        return [
            name
            for name, each in self._by_name.items()
            if self.reduced and not _is_one(each) and not self.differs(name)
        ]

    def lacking(self, name: str) -> list[int]:
        """The ranks that have no gradient of it."""
        return [rank for rank, model in self.of.items() if not model.gradients[name].there]

    def differs(self, name: str) -> bool:
        return len({gradient.parameter for gradient in self._by_name[name]}) > 1

    @cached_property
    def is_sum(self) -> bool:
        """Whether what was reduced is the sum over the ranks, and seen not to be the mean."""
        return bool(self.reduced) and all(_is_share(self._by_name[n], 1) for n in self.reduced)


def _is_one(each: list[Gradient]) -> bool:
    return len({(gradient.there, gradient.taken) for gradient in each}) == 1


def _was_reduced(each: list[Gradient]) -> bool:
    if len({gradient.own for gradient in each}) == 1:
        return False
    shares = _is_share(each, 1) or _is_share(each, len(each))
    return shares or (each[0].numbers >= MANY and each[0].taken != 0)


def _is_share(each: list[Gradient], of: int) -> bool:
    """Whether the gradient that is taken is this part of the sum over the ranks."""
    size, together = sum(g.size for g in each), sum(g.own_sum for g in each)
    known = abs(together) >= FAR * size > 0
    return known and abs(each[0].taken_sum - together / of) <= CLOSE * size
