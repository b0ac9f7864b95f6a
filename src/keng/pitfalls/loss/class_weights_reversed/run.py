"""A running program: the weights of classes, by how often each of them comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import torch
from torch.utils.data import WeightedRandomSampler

from keng.model import Message, Span, say
from keng.run.events import EpochBegin, Loss, NewOptimizer, RootModule, RunEnd
from keng.run.frames import here, name_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

LOSSES, LINES = 64, 8
"""Losses with weights that are counted at a line, and lines that are followed."""
WITHOUT = 32
"""Losses without weights, after which none is looked for."""
FEWEST = 20
"""Labels of a class, at least, before its share is known."""
UNEVEN = 1.5
"""How much more frequent the most frequent class is than the rarest: without that no weights are wrong."""
POWERS = (1.0, 0.5)
"""Weights are a share of labels, or the root of it."""
SIGMAS = 3.0
"""Deviations of a count from what is expected."""
EXACT = 1.01
"""Weights of a sampler are computed from the very counts that are compared."""
MOST = 20_000
"""Labels of a batch that are counted, about."""
GROUPS, ROWS = 256, 1_000_000
"""Different weights of a sampler, and its rows."""
WEIGHT = {"cross_entropy": 2, "nll_loss": 2}
"""Where the functions take weights of classes."""
POSITIVE = 3
"""Where `binary_cross_entropy_with_logits` takes the weight of positive labels."""


@dataclass(slots=True)
class Counted:
    """The labels that a loss has been given so far, by class; of a binary loss the negative and the positive
    ones of each column, (2, columns)."""

    weight: Tensor
    counts: Tensor
    name: str
    binary: bool
    calls: int = 0


class ClassWeights(Recorder):
    """Counts the labels that come with weights. Where losses have none, none is looked for until there is another
    model or optimizer."""

    dormant = (Loss,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: dict[tuple[Span | None, int], Counted] = {}
        self.samplers: WeakSet[Any] = WeakSet()
        self.without = 0

    def root_module(self, event: RootModule) -> None:
        self._look()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self._look()

    def _look(self) -> None:
        self.without = 0
        self.listen(Loss)

    def loss(self, event: Loss) -> None:
        weight = _weight_of(event)
        if weight is None or not event.args[0].requires_grad:
            self.without += 1
            if self.without == WITHOUT:
                self.ignore(Loss)
            return
        place = here(), weight.numel()
        counted = self.known.get(place)
        if counted is None and len(self.known) < LINES:
            counted = self.known[place] = _begun(event, weight)
        if counted is None or counted.calls >= LOSSES:
            self.ignore(Loss)
            return
        with unwatched():
            _count(counted, event.args[1])
        if counted.calls == LOSSES:
            self._judge(counted, place[0])

    def epoch_begin(self, event: EpochBegin) -> None:
        sampler = getattr(event.iterator._index_sampler, "sampler", None)
        if type(sampler) is not WeightedRandomSampler or sampler in self.samplers:
            return
        self.samplers.add(sampler)
        with unwatched():
            groups = _groups(sampler.weights)
        if groups is not None and _is_share(*groups, EXACT):
            values = {"most": int(groups[1].max()), "least": int(groups[1].min())}
            self.report(say("sampler-by-counts", **values))

    def run_end(self, event: RunEnd) -> None:
        for (place, _), counted in self.known.items():
            if 0 < counted.calls < LOSSES:
                self._judge(counted, place)

    def _judge(self, counted: Counted, place: Span | None) -> None:
        with unwatched():
            weight, counts = counted.weight.detach().cpu().double(), counted.counts.cpu().double()
            wrong = _favours(weight, counts) if counted.binary else _is_reversed(weight, counts)
        if wrong:
            name = counted.name or "weight"
            tell = _positive if counted.binary else _classes
            says = tell(name, weight, counts)
            self.report(says, where=place, labels=int(counts.sum()))


def _positive(name: str, weight: Tensor, counts: Tensor) -> Message:
    share = float(counts[1].sum() / counts.sum())
    mean = f"{float(weight.mean()):.3g}"
    return say("positive-reversed", name=name, share=f"{share:.0%}", weight=mean)


def _classes(name: str, weight: Tensor, counts: Tensor) -> Message:
    """The most frequent class, and the rarest that has a weight."""
    common = int(counts.argmax())
    rare = int(torch.where((weight > 0) & (counts > 0), counts, torch.inf).argmin())
    values: dict[str, Any] = {"common": common, "rare": rare, "name": name}
    for kind, at in (("common", common), ("rare", rare)):
        values[f"{kind}_share"] = f"{float(counts[at] / counts.sum()):.0%}"
        values[f"{kind}_weight"] = f"{float(weight[at]):.3g}"
    return say("weights-reversed", **values)


def _weight_of(event: Loss) -> Tensor | None:
    """The weights that a loss is given, of classes or of positive labels; no others."""
    binary = event.function == "binary_cross_entropy_with_logits"
    place = POSITIVE if binary else WEIGHT.get(event.function)
    weight = event.args[place] if place is not None and len(event.args) > place else None
    if not isinstance(weight, torch.Tensor) or weight.requires_grad or weight.dim() > 1:
        return None
    return weight


def _begun(event: Loss, weight: Tensor) -> Counted:
    binary = event.function == "binary_cross_entropy_with_logits"
    size = (2, weight.numel()) if binary else (weight.numel(),)
    counts = torch.zeros(size, device=event.args[1].device)
    return Counted(weight, counts, name_of(weight), binary)


def _count(counted: Counted, target: Tensor) -> None:
    """Adds the labels of a batch, on their device: nothing waits for it."""
    counted.calls += 1
    columns = counted.counts.shape[-1]
    if counted.binary:
        rows = _some(target.detach().reshape(-1, columns)).to(counted.counts.dtype)
        sums = rows.sum(0)
        counted.counts += torch.stack([len(rows) - sums, sums])
        return
    if target.is_floating_point():
        counted.calls = LOSSES + 1  # shares of classes
        return
    labels = _some(target.detach().reshape(-1)).long()
    known = (labels >= 0) & (labels < columns)
    counted.counts.scatter_add_(0, labels.clamp(0, columns - 1), known.to(counted.counts.dtype))


def _some(rows: Tensor) -> Tensor:
    """Of the labels of pixels not all."""
    return rows[:: max(1, len(rows) // MOST)]


def _is_reversed(weight: Tensor, counts: Tensor) -> bool:
    """Whether weights are the shares of their classes, or what belongs to them stands at other classes."""
    seen = (weight > 0) & (counts >= FEWEST)
    if int(seen.sum()) < 2 or not bool(weight.isfinite().all()):
        return False
    weight, counts = weight[seen], counts[seen]
    near = 1 + SIGMAS / float(counts.min()) ** 0.5
    return _is_share(weight, counts, near) or _stands_elsewhere(weight, counts, near)


def _is_share(weight: Tensor, counts: Tensor, near: float) -> bool:
    """Whether weights that differ are proportional to the counts, or to their roots."""
    uneven = _spread(counts) >= UNEVEN and _spread(weight) >= UNEVEN**0.5
    return uneven and any(_spread(weight / counts**power) <= near for power in POWERS)


def _stands_elsewhere(weight: Tensor, counts: Tensor, near: float) -> bool:
    """Whether weights are the inverse of the counts of other classes."""
    if _spread(counts) < UNEVEN or len(counts) < 3:
        return False
    sorted_by_size = weight.sort(descending=True).values * counts.sort().values
    return _spread(sorted_by_size) <= near and _spread(weight * counts) >= UNEVEN * near


def _favours(weight: Tensor, counts: Tensor) -> bool:
    """Whether the weight of positive labels is their number for each negative one, in every column: where they are
    few, it makes them fewer."""
    negative, positive = counts.reshape(2, -1)
    if float(counts.min()) < FEWEST:
        return False
    near = 1 + SIGMAS / float(counts.min()) ** 0.5
    odds = positive / negative
    uneven = bool((torch.maximum(odds, 1 / odds) >= UNEVEN).all())
    apart = torch.maximum(weight / odds, odds / weight)
    return uneven and bool((apart <= near).all())


def _groups(weights: Tensor) -> tuple[Tensor, Tensor] | None:
    """The different weights of a sampler, and how many rows have each."""
    if not isinstance(weights, torch.Tensor) or weights.numel() > ROWS:
        return None
    values, counts = torch.unique(weights.double(), return_counts=True)
    some = 1 < len(values) <= GROUPS and int(counts.min()) >= FEWEST and bool((values > 0).all())
    return (values, counts.double()) if some else None


def _spread(values: Tensor) -> float:
    return float(values.max() / values.min())
