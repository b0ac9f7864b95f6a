"""A running program: a seed is set for PyTorch, and random numbers come from elsewhere too, or the
other way round."""

from __future__ import annotations

from keng.model import say
from keng.run.events import RandomDraw, RandomSeed
from keng.run.recorder import Recorder
from keng.run.state import RunState


class UnseededDraws(Recorder):
    """Draws from generators that are not seeded, in a program that has seeded torch."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.homes: set[str] = set()

    def random_seed(self, event: RandomSeed) -> None:
        self.homes.add(event.home)

    def random_draw(self, event: RandomDraw) -> None:
        home = event.home
        if "torch" in self.homes and home not in self.homes:
            self.homes.add(home)  # once is enough
            self.report(say("does-not-follow-seed", name=f"{home}.{event.function}", home=home))
