"""A running program: a seed is set for PyTorch, and random numbers come from elsewhere too, or the other way round."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import UnseededDraw


@watches("random.unseeded")
def drawn_from_elsewhere(draw: UnseededDraw) -> Hits:
    says = (
        f"`{draw.home}.{draw.function}` does not follow `torch.manual_seed`: seed `{draw.home}` too"
    )
    yield draw.hit(says)
