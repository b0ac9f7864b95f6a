"""A running program: a model is evaluated on images of another scale than it is trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, WeakSet, ref

import torch

from keng.model import say
from keng.run.events import EpochBegin, Forward, InferenceEnd, RootModule
from keng.run.recorder import Recorder
from keng.run.state import RunState, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

TIMES = 12
"""Images may have 16 grey levels only."""
NEAR_ONE = (0.2, 5)
"""The largest absolute value of images that are divided by 255, or normalized."""
TRAINED, EVALUATED = 4, 3
"""Batches of a module whose inputs are measured while it trains, and while it is evaluated."""
ROWS, COLUMNS = 16, 3
"""Rows of a batch and columns of a table, at least."""
STANDARD = (0.3, 0.6, 1.6)
"""The mean of a standardized column, at most, and its standard deviation: from, to."""
FAR, WIDE = 3.0, 5.0
"""Standard deviations of the training data to which the mean of a column, and times to which its spread,
may differ."""
MOSTLY = 0.6
"""Share of the columns."""
SPREAD, SHIFT = 1.8, 0.2
"""Ratio of the spreads of images that are normalized and are not, and the shift of their means in units of
the smaller one."""


class Statistics(NamedTuple):
    """Of images: of all values, each (1,). Of a table: of its columns, (columns,)."""

    mean: Tensor
    spread: Tensor
    lowest: float
    highest: float

    @property
    def standard(self) -> bool:
        near, narrow, wide = STANDARD
        fits = (self.mean.abs() < near) & (self.spread > narrow) & (self.spread < wide)
        return float(fits.float().mean()) >= MOSTLY

    def far_from(self, other: Statistics) -> bool:
        """Whether most columns lie where the other data, which is standardized, has none."""
        ratio = self.spread / other.spread.clamp_min(1e-6)
        away = (self.mean - other.mean).abs() > FAR * other.spread
        return float((away | (ratio > WIDE) | (ratio < 1 / WIDE)).float().mean()) >= MOSTLY

    def is_raw_image_of(self, other: Statistics) -> bool:
        """Whether it lies between 0 and 1 and the other, which has negative values, is as if normalized."""
        within = self.lowest >= 0 and self.highest <= 1 and other.lowest < -SHIFT
        small, large = float(self.spread), float(other.spread)
        return (
            within and large > SPREAD * small > 0 and bool((self.mean - other.mean) > SHIFT * small)
        )


class InputScales(Recorder):
    """Of the first batch of each loader, where a model is given it as it came: what a loop has divided by
    itself is another tensor."""

    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: WeakSet[Any] = WeakSet()
        self.images: ref[Tensor] | None = None
        self.inputs: WeakKeyDictionary[Module, dict[bool, float]] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        loader = event.iterator._index_sampler
        if loader in self.known:
            return
        self.known.add(loader)
        images = next((tensor for tensor in tensors_in(event.batch) if _is_images(tensor)), None)
        if images is not None:
            self.images = ref(images)
            self.listen(Forward)

    def forward(self, event: Forward) -> None:
        module = event.module
        self.ignore(Forward)
        images, self.images = self.images() if self.images is not None else None, None
        if images is None or not any(tensor is images for tensor in event.inputs):
            return
        with unwatched():
            given = self.inputs.setdefault(module, {})
            given[module.training] = float(images.abs().max())
        if len(given) == 2:
            self._compare(module, given[True], given[False])

    def _compare(self, module: Module, trained: float, evaluated: float) -> None:
        small, large = sorted((trained, evaluated))
        if NEAR_ONE[0] < small < NEAR_ONE[1] and large > TIMES * small:
            name = self.run.module_name(module)
            highest, other = f"{trained:.3g}", f"{evaluated:.3g}"
            self.report(say("scales-differ", name=name, trained=highest, evaluated=other))


class InputStatistics(Recorder):
    """What a module is given in training mode, and what in evaluation mode without gradients."""

    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.trained: WeakKeyDictionary[Module, list[Statistics]] = WeakKeyDictionary()
        self.evaluated: WeakKeyDictionary[Module, int] = WeakKeyDictionary()
        self.open = 0

    def root_module(self, event: RootModule) -> None:
        if next(event.module.parameters(), None) is not None:
            self.trained[event.module] = []
            self.open += 1
            self.listen(Forward)

    def forward(self, event: Forward) -> None:
        known = self.trained.get(event.module)
        if known is None or not event.module.training or not torch.is_grad_enabled():
            return
        if len(known) < TRAINED and event.inputs:
            with unwatched():
                measured = _measured(event.inputs[0])
            # What cannot be measured once is never measured.
            known += [measured] if measured is not None else []
            if measured is None or len(known) == TRAINED:
                self.open -= 1
            if measured is None:
                del self.trained[event.module]
        if not self.open:
            self.ignore(Forward)

    def inference_end(self, event: InferenceEnd) -> None:
        module = event.module
        known = self.trained.get(module)
        if not known or module.training or not event.inputs:
            return
        self.evaluated[module] = count = self.evaluated.get(module, 0) + 1
        with unwatched():
            measured = _measured(event.inputs[0])
            says = _differs(_together(known), measured) if measured is not None else None
        if says is not None:
            name = self.run.module_name(module)
            self.report(
                say("normalized-in-training", name=name)
                if says
                else say("normalized-in-evaluation", name=name)
            )
        if says is not None or count == EVALUATED:
            del self.trained[module]


def _differs(trained: Statistics, measured: Statistics) -> bool | None:
    """True where only the inputs of the training are normalized, False where only those of the evaluation
    are, None where they do not differ so."""
    if trained.mean.shape != measured.mean.shape:
        return None
    if len(measured.mean) == 1:
        raw = measured.is_raw_image_of(trained)
        return True if raw else False if trained.is_raw_image_of(measured) else None
    if trained.standard and measured.far_from(trained):
        return True
    return False if measured.standard and trained.far_from(measured) else None


def _together(batches: list[Statistics]) -> Statistics:
    means = torch.stack([each.mean for each in batches])
    spreads = torch.stack([each.spread for each in batches])
    spread = (spreads.square().mean(0) + means.var(0, correction=0)).sqrt()
    lowest, highest = min(b.lowest for b in batches), max(b.highest for b in batches)
    return Statistics(means.mean(0), spread, lowest, highest)


def _measured(inputs: Tensor) -> Statistics | None:
    """Of images or of the rows of a table."""
    plain = inputs.is_cpu and inputs.layout is torch.strided and inputs.dtype is torch.float32
    if not plain or inputs.shape[:1] < (ROWS,):
        return None
    if _is_images(inputs):
        values = inputs.detach().reshape(-1, 1)
    elif inputs.dim() == 2 and inputs.shape[1] >= COLUMNS:
        values = inputs.detach()
    else:
        return None
    spread, mean = torch.std_mean(values, 0)
    return Statistics(mean, spread, float(values.min()), float(values.max()))


def _is_images(tensor: Tensor) -> bool:
    shape = tensor.shape
    drawn = tensor.is_cpu and tensor.is_floating_point() and tensor.numel() > 0
    return drawn and len(shape) == 4 and shape[1] in (1, 3) and min(shape[2:]) > 1
