"""A running program: a model learns to repeat its input tokens, and is then asked to continue them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch

from keng.model import Span, say
from keng.pitfalls.loss._shared_run import share_equal
from keng.run.events import Forward, ForwardEnd, Loss, RootModule
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

LOOKS, TIMES, LOSSES = 8, 3, 32
"""Losses that are compared; so many must agree; losses among which they are looked for."""
SAME, OTHER = 0.98, 0.5
"""Share of the targets that are the token of the same position; share of those that are the next one, at most."""
LONGER = 3
"""Calls in a row without gradients, each with one token more than the last."""


class RepeatedTokens(Recorder):
    """Targets that are the tokens given to a model, and later calls of the same model in which the text grows by
    one token each: to repeat its input is what an autoencoder learns, but no autoencoder is used like that."""

    dormant = (Forward, ForwardEnd, Loss)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.module: ref[Module] | None = None
        self.given: list[ref[Tensor]] = []
        self.repeats: WeakKeyDictionary[Module, Span | None] = WeakKeyDictionary()
        self.looks = self.losses = self.same = self.longer = 0
        self.text: Tensor | None = None
        self.inside = False

    def root_module(self, event: RootModule) -> None:
        if self.losses < LOSSES:
            self.listen(Forward, ForwardEnd, Loss)

    def forward_end(self, event: ForwardEnd) -> None:
        self.inside = False

    def forward(self, event: Forward) -> None:
        self.inside = True
        tokens = [t for t in event.inputs if t.dtype is torch.long and t.dim() == 2 and t.is_cpu]
        if torch.is_grad_enabled():
            self.module, self.given = ref(event.module), [ref(t) for t in tokens]
        elif event.module in self.repeats and tokens:
            self._follow(event.module, tokens[-1])

    def loss(self, event: Loss) -> None:
        self.losses += 1
        if self.losses == LOSSES:
            self.ignore(Loss, *(() if self.repeats else (Forward, ForwardEnd, RootModule)))
        module = self.module() if self.module is not None else None
        target: Any = event.args[1]
        if event.function != "cross_entropy" or module is None or not torch.is_grad_enabled():
            return
        if not isinstance(target, torch.Tensor):
            return  # the call is about to fail
        if self.looks >= LOOKS or not target.is_cpu or target.dtype is not torch.long:
            return
        given = [t for each in self.given if (t := each()) is not None]
        given = _apart_from(given, target) if self.inside else given
        fits = [t for t in given if t.shape[1] > 4 and t.numel() == target.numel()]
        with unwatched():
            self.same += any(_repeats(t, target.reshape(t.shape)) for t in fits)
        self.looks += bool(fits)
        if self.same == TIMES:
            self.looks = LOOKS
            self.repeats[module] = here()
        if self.looks == LOOKS:
            self.ignore(Loss, *(() if self.repeats else (Forward, ForwardEnd, RootModule)))

    def _follow(self, module: Module, tokens: Tensor) -> None:
        text, self.text = self.text, tokens
        with unwatched():
            grown = text is not None and _continues(tokens, text)
        self.longer = self.longer + 1 if grown else 0
        if self.longer == LONGER:
            where = self.repeats.pop(module)
            self.ignore(Forward, ForwardEnd, RootModule)
            self.report(say("repeats-its-input", kind=type(module).__name__), where=where)


def _apart_from(given: list[Tensor], target: Tensor) -> list[Tensor]:
    """Without the one that is the target itself, which a model that computes its own loss is given too."""
    own = [n for n, t in enumerate(given) if t.data_ptr() == target.data_ptr()]
    return [t for n, t in enumerate(given) if n not in own[-1:]] if len(given) > 1 else given


def _continues(tokens: Tensor, text: Tensor) -> bool:
    """Whether tokens are a text and one token more."""
    return tokens.shape == (len(text), text.shape[1] + 1) and torch.equal(tokens[:, :-1], text)


def _repeats(tokens: Tensor, targets: Tensor) -> bool:
    return share_equal(tokens, targets, 0) >= SAME and share_equal(tokens, targets, 1) <= OTHER
