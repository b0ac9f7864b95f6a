"""A running program: a model is evaluated on images of another scale than it is trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet, ref

from keng.model import say
from keng.run.events import EpochBegin, Forward
from keng.run.recorder import Recorder
from keng.run.state import RunState, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

TIMES = 12
"""Images may have 16 grey levels only."""
NEAR_ONE = (0.2, 5)
"""The largest absolute value of images that are divided by 255, or normalized."""


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


def _is_images(tensor: Tensor) -> bool:
    shape = tensor.shape
    drawn = tensor.is_cpu and tensor.is_floating_point() and tensor.numel() > 0
    return drawn and len(shape) == 4 and shape[1] in (1, 3) and min(shape[2:]) > 1
