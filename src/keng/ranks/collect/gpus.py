"""What a rank reports of the cards that it trains on and holds memory of."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from platform import node
from typing import TYPE_CHECKING, Any

import torch

from keng.ranks.collect.section import Looks, Part
from keng.ranks.reports import Held
from keng.run.events import Step
from keng.run.state import RunState

if TYPE_CHECKING:
    pass


class Cards(Part):
    dozes = (Step,)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._own: torch.device | None = None

    def step(self, event: Step) -> None:
        every = (p for group in event.optimizer.param_groups for p in group["params"])
        self._own = next((p.device for p in every if p.grad is not None), self._own)

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        if self._own is None or self._own.type != "cuda":
            return dict
        cards = torch.cuda.device_count()
        held = {number: _held(number) for number in range(cards)}
        own = held.pop(self._own.index)
        others = tuple(each for each in held.values() if each.size)
        return lambda: {"card": own, "others": others, "cards": cards}


def _held(number: int) -> Held:
    """Asks torch's own allocator: no context is made on a card that has none."""
    return Held(f"cuda:{number}", _identity(number), torch.cuda.memory_reserved(number))


def _identity(number: int) -> Hashable:
    properties = torch.cuda.get_device_properties(number)
    named = (os.environ.get("CUDA_VISIBLE_DEVICES", ""), number)
    return (node(), str(getattr(properties, "uuid", named)))
