"""Models whose gradients the program itself makes one of all ranks, between backward and the optimizer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from keng._util.record import Record
from keng.model import Span, Value

MANY = 64
"""Numbers that do not come out alike on all ranks by chance."""
CLOSE, FAR = 1e-3, 1e-2
"""Of the size of the gradients: what rounding may change, and what it does not."""


class Gradient(NamedTuple):
    """Of a parameter and its gradient before the optimizer's step. `parameter`, `own` and `taken` are
    digests: of the parameter, of the gradient after backward, and of that which the optimizer takes;
    the sums are those of the two, half of the numbers with the other sign, and `size` is the norm of the
    first. `there` is whether a
    gradient is taken. `used` are the operations of the graph that read the parameter, where its numbers
    are not all the same. `group` are the ranks of a smaller group over which the program has summed the
    gradient. `called` is whether the program has summed the gradient over the ranks since the
    last step, and `averaged` whether it has summed the parameter itself."""

    parameter: int
    own: int
    taken: int
    own_sum: float
    taken_sum: float
    size: float
    numbers: int
    there: bool = True
    called: bool = False
    averaged: bool = False
    used: tuple[str, ...] = ()
    group: tuple[int, ...] = ()


class ByHand(NamedTuple):
    """A model without a wrapper, as one rank has it, its optimizer by its class, and the line that steps.
    `buffers` are digests of those that have not changed since they were last checked; `settings` are
    the numbers of the optimizer. `statistics` are digests of buffers that each batch moves. `mates` are the
    ranks that hold the other shards of some of its layers (tensor parallelism), and `fed` is a digest of
    its last inputs where the program calls collectives in its forward. `late` is whether the program has
    summed the gradients of the step before this one after that step. `again` are the parameters whose
    gradients it has summed twice over the same ranks. `summed_at` is a line that has summed the others'."""

    name: str
    optimizer: str
    where: Span | None
    gradients: Mapping[str, Gradient]
    buffers: Mapping[str, int] = {}
    settings: Mapping[str, Value] = {}
    statistics: Mapping[str, int] = {}
    mates: tuple[int, ...] = ()
    fed: int | None = None
    late: bool = False
    again: tuple[str, ...] = ()
    summed_at: Span | None = None


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

    @cached_property
    def called(self) -> list[str]:
        """The parameters whose gradients every rank has summed over the ranks."""
        return [name for name, each in self._by_name.items() if all(g.called for g in each)]

    @cached_property
    def changed(self) -> dict[str, dict[int, int]]:
        """Those whose gradient is no longer one when the optimizer takes it, though the ranks have the
        parameter alike: the digests by rank."""
        return {
            name: {rank: model.gradients[name].taken for rank, model in self.of.items()}
            for name in self.called
            if not _is_one(self._by_name[name]) and not self.differs(name)
        }

    @cached_property
    def averaged(self) -> list[str]:
        """The parameters that every rank has summed over the ranks, and that are alike since."""
        return [
            name
            for name, each in self._by_name.items()
            if all(g.averaged for g in each) and not self.differs(name)
        ]

    @cached_property
    def left_out(self) -> list[str]:
        """The parameters that no rank has summed, where others are: each rank's own by now."""
        return [
            name
            for name, each in self._by_name.items()
            if self.averaged and not any(g.averaged for g in each) and self.differs(name)
        ]

    def parted_copies(self) -> dict[str, dict[int, int]]:
        """Parameters that are not sharded, but differ between ranks that hold the shards of one model: the
        digests by rank."""
        own = self.first.mates
        mates = {rank: model for rank, model in self.of.items() if rank in own}
        if len(mates) < 2 or any(model.mates != own for model in mates.values()):
            return {}
        return self._parted(mates)

    def parted_replicas(self) -> dict[str, dict[int, int]]:
        """Parameters that differ between ranks whose forward exchanges values, on the same inputs."""
        fed = {model.fed for model in self.of.values()}
        return self._parted(self.of) if len(fed) == 1 and None not in fed else {}

    def parted_shards(self) -> dict[str, dict[int, int]]:
        """Parameters that differ between ranks whose forward exchanges values, on inputs of their own: parts
        of one sequence. Where nothing is averaged and some layers are split, the others are copies."""
        exchanges = all(model.fed is not None for model in self.of.values())
        if not exchanges or self.called or self.averaged:
            return {}
        return self._parted(self.of)

    def _parted(self, of: Mapping[int, ByHand]) -> dict[str, dict[int, int]]:
        found: dict[str, dict[int, int]] = {}
        for name in self._by_name:
            each = {rank: model.gradients[name] for rank, model in of.items()}
            # Rounding may part them as well, but not their gradients by that much.
            if len({g.parameter for g in each.values()}) > 1 and _are_far(list(each.values())):
                found[name] = {rank: g.parameter for rank, g in each.items()}
        return found

    def lacking(self, name: str) -> list[int]:
        """The ranks that have no gradient of it."""
        return [rank for rank, model in self.of.items() if not model.gradients[name].there]

    def differs(self, name: str) -> bool:
        """Whether the ranks do not have it alike, or not all of them have it."""
        each = self._by_name.get(name, [])
        return len({gradient.parameter for gradient in each}) != 1

    def summed_with_others(self) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
        """The parameters whose gradients are summed over groups of ranks, which hold other values of them,
        with such a group and the ranks outside of it that have the same values as one in it."""
        for name in self.first.gradients:
            each = {r: m.gradients[name] for r, m in self.of.items() if name in m.gradients}
            groups = {gradient.group for gradient in each.values()}
            if (
                len(each) < len(self.of)
                or () in groups
                or self.first.gradients[name].numbers < MANY
            ):
                continue
            for group in sorted(groups):
                own = {each[r].parameter for r in group if r in each}
                copies = [r for r, g in each.items() if g.parameter in own and r not in group]
                if len(own) == len(group) and copies:
                    yield name, group, tuple(copies)
                    break

    def left_out_of_groups(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The parameters whose gradients no rank of a group has summed, where it has summed those of others,
        with the group."""
        groups = {g.group for model in self.of.values() for g in model.gradients.values()}
        for group in sorted(groups - {()}):
            held = [self.of[rank] for rank in group if rank in self.of]
            for name in held[0].gradients if len(held) == len(group) else ():
                each = [model.gradients[name] for model in held if name in model.gradients]
                if len(each) == len(held) and not any(g.group or g.called for g in each):
                    yield name, group

    def differs_in(self, group: tuple[int, ...], name: str) -> bool:
        """Whether the ranks of a group do not have a parameter alike."""
        return len({self.of[rank].gradients[name].parameter for rank in group}) > 1

    @cached_property
    def is_sum(self) -> bool:
        """Whether what was reduced is the sum over the ranks, and seen not to be the mean."""
        return bool(self.reduced) and all(_is_share(self._by_name[n], 1) for n in self.reduced)


def ties(one: ByHand, other: ByHand) -> Iterator[tuple[str, str]]:
    """The parameters of two models that are the same numbers, and are read by different operations."""
    for name, mine in one.gradients.items():
        for second, theirs in other.gradients.items():
            alike = (mine.parameter, mine.numbers) == (theirs.parameter, theirs.numbers)
            differ = mine.used and theirs.used and mine.used != theirs.used
            if alike and differ and mine.numbers >= MANY:
                yield name, second


def _is_one(each: list[Gradient]) -> bool:
    return len({(gradient.there, gradient.taken) for gradient in each}) == 1


def _are_far(each: list[Gradient]) -> bool:
    sums = [gradient.own_sum for gradient in each]
    return max(sums) - min(sums) > FAR * max(gradient.size for gradient in each)


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
