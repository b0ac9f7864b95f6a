"""A running program: a part that is not being trained gets gradients all the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import ref

from keng.model import Span, say
from keng.run.events import Backward, ForwardEnd, Paused, Step, ZeroGrad
from keng.run.frames import here, user_frames
from keng.run.graph.nodes import module_behind
from keng.run.optimizers import parameters_of, sample_of
from keng.run.recorder import Recorder
from keng.run.state import RunState

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

TIMES = 3


Way = tuple[tuple[int, int], ...]
"""The lines of the user's by which a call was come to, by their code and number."""


@dataclass(slots=True)
class Feed:
    """One module was given another's output, with its graph; by which way the last time, and by which ones
    where the module behind took a step with it. Two optimizers that take turns go one way."""

    behind: ref[Module]
    trained: ref[Module]
    place: Span | None
    times: int = 0
    learns: bool = False
    pending: Tensor | None = None
    way: Way = ()
    useful: set[Way] = field(default_factory=set)

    def wait(self, first: Tensor) -> None:
        """Until the gradients behind are used, cleared, or the next ones come."""
        self.pending = sample_of(first)


class LeakedGradients(Recorder):
    """A generator's step goes through the discriminator, and has to. The other way round is a leak: what
    steps is the module in front, and the gradients behind it are cleared unused."""

    dormant = (Backward, ZeroGrad, Step)
    sampled = (ForwardEnd, *dormant)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.feeds: dict[tuple[int, int], Feed] = {}
        self.now: set[tuple[int, int]] = set()
        self.used: set[int] = set()

    def paused(self, event: Paused) -> None:
        self.now.clear()
        self.used.clear()
        for feed in self.feeds.values():
            feed.pending, feed.times = None, 0

    def forward_end(self, event: ForwardEnd) -> None:
        module = event.module
        for tensor in event.inputs:
            if tensor.grad_fn is None:
                continue
            behind = module_behind(tensor.grad_fn)
            if behind is None or behind is module:
                continue
            key = id(behind), id(module)
            known = self.feeds.get(key)
            if known is None or known.behind() is not behind or known.trained() is not module:
                self.feeds[key] = Feed(ref(behind), ref(module), here())
                self.listen(Backward, ZeroGrad, Step)
            self.now.add(key)
            self.feeds[key].way = _way()

    def backward(self, event: Backward) -> None:
        self.used.clear()

    def zero_grad(self, event: ZeroGrad) -> None:
        for feed in self.feeds.values():
            behind = feed.behind() if feed.pending is not None else None
            if behind is not None and _holds(event.owner, behind):
                self._wasted(feed)

    def step(self, event: Step) -> None:
        for key, feed in self.feeds.items():
            behind, trained = feed.behind(), feed.trained()
            if behind is None or trained is None:
                continue
            if _holds(event.optimizer, behind):
                self.used.add(key[0])
                feed.learns = True
                if key in self.now:
                    feed.useful.add(feed.way)
                feed.pending, feed.times = None, 0 if feed.pending is not None else feed.times
            elif key in self.now and key[0] not in self.used and _holds(event.optimizer, trained):
                if feed.pending is not None:
                    self._wasted(feed)
                first = next((p for p in behind.parameters() if p.requires_grad), None)
                if first is not None and first.grad is not None and feed.way not in feed.useful:
                    feed.wait(first)
        self.now.clear()

    def _wasted(self, feed: Feed) -> None:
        before, feed.pending = feed.pending, None
        behind, trained = feed.behind(), feed.trained()
        own = behind.parameters() if behind is not None else ()
        first = next((p for p in own if p.requires_grad), None)
        if first is None or before is None or not bool((sample_of(first) == before).all()):
            feed.times = 0  # moved by hand, with these gradients
            return
        feed.times += 1
        if feed.times == TIMES and behind is not None and trained is not None:
            names = {
                "trained": self.run.module_name(trained),
                "behind": self.run.module_name(behind),
            }
            used = say("gradients-unused", **names)
            says = used if feed.learns else say("gradients-in-no-optimizer", **names)
            self.report(says, where=feed.place, steps_in_a_row=feed.times)


def _way() -> Way:
    return tuple((id(frame.f_code), frame.f_lineno) for frame in user_frames())


def _holds(owner: Any, module: Module) -> bool:
    """Whether an optimizer, or a module, has the first trainable parameter of a module."""
    first = next((p for p in module.parameters() if p.requires_grad), None)
    return any(p is first for p in parameters_of(owner))
