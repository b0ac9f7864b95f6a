"""A running program: several texts lie in one row, and attention lets a text see the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from keng.model import say
from keng.run.events import Attention, Forward, ForwardEnd, RootModule
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

FORWARDS = 32
"""Forwards of training without packed texts, after which none is looked for until another module is
called."""
AGAIN = 2
"""Forwards in which a text sees the one before."""
HIDDEN = -1e4
"""Less than this is added to the scores of what is hidden."""


class PackedTexts(Recorder):
    """Compares the texts of a row, as positions that begin again or cumulative lengths give them, with
    what attention sees: the first token of a text must not see the last of the text before."""

    dormant = (Forward, ForwardEnd, Attention)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.forwards = self.mixed = 0
        self.starts: Tensor | None = None
        self.found: Tensor | None = None

    def root_module(self, event: RootModule) -> None:
        self.forwards = 0
        self.listen(Forward)

    def forward(self, event: Forward) -> None:
        self.forwards += 1
        if self.forwards > FORWARDS:
            self.ignore(Forward)
        if torch.is_grad_enabled() and event.module.training:
            with unwatched():
                self.starts = _starts_in(event.inputs)
            if self.starts is not None:
                self.listen(Attention, ForwardEnd)

    def attention(self, event: Attention) -> None:
        """The first one of a forward whose queries are the positions of the texts."""
        starts = self.starts
        if starts is None or not _fits(event, starts):
            return
        self.starts = None
        with unwatched():
            if _sees_before(event, starts):
                self.found = starts

    def forward_end(self, event: ForwardEnd) -> None:
        found, self.starts, self.found = self.found, None, None
        self.ignore(Attention, ForwardEnd)
        self.mixed += found is not None
        if found is not None and self.mixed == AGAIN:
            rows, texts = found.shape[0], int(found.sum()) + found.shape[0]
            model = self.run.module_name(event.module)
            says = say("sees-text-before", model=model, texts=texts, rows=rows)
            self.report(says, texts=texts, rows=rows)
            self.ignore(Forward)


def _fits(event: Attention, starts: Tensor) -> bool:
    """Whether it is attention of each position to those before it, of the same rows."""
    query, key = event.query, event.key
    if query.dim() != 4 or key.dim() != 4 or query.shape[2] != starts.shape[1]:
        return False
    alike = key.shape[2] == query.shape[2] and starts.shape[0] in (1, query.shape[0])
    return alike and (event.causal or event.mask is not None)


def _sees_before(event: Attention, starts: Tensor) -> bool:
    """Whether the first token of each text sees the one before it, and no token sees the next."""
    if event.mask is None:
        return True
    mask = event.mask.expand(event.query.shape[0], -1, *event.mask.shape[-2:])
    if mask.shape[-2:] != (starts.shape[1], starts.shape[1]):
        return False
    seen = mask[:, 0] if mask.dtype is torch.bool else mask[:, 0] > HIDDEN
    before = seen.diagonal(offset=-1, dim1=1, dim2=2)
    after = seen.diagonal(offset=1, dim1=1, dim2=2)
    where = starts[:, 1:].expand(len(seen), -1)
    return bool(before[where].all() and not after[where].any())


def _starts_in(inputs: list[Tensor]) -> Tensor | None:
    """Where texts begin that are not the first of their row, (rows, positions); None where each row is one
    text, or nothing says."""
    numbers = [t for t in inputs if not t.is_floating_point() and not t.is_complex()]
    sizes = {tuple(t.shape[:2]) for t in inputs if t.dim() >= 2}
    for each in numbers:
        if each.dim() == 2 and each.shape[1] > 3 and len(numbers) > 1:
            starts = _restarts(each)
        elif each.dim() == 1 and each.numel() > 2 and (1, int(each[-1])) in sizes:
            starts = _ends(each)
        else:
            continue
        if starts is not None:
            return starts
    return None


def _restarts(positions: Tensor) -> Tensor | None:
    """Of rows that count from 0 and begin again. Zeros at the end are padding."""
    step = positions[:, 1:] - positions[:, :-1]
    if bool((positions[:, 0] != 0).any()) or not bool(
        ((step == 1) | (positions[:, 1:] == 0)).all()
    ):
        return None
    starts = torch.zeros_like(positions, dtype=torch.bool)
    # A text has at least two tokens.
    starts[:, 1:-1] = (positions[:, 1:-1] == 0) & (positions[:, 2:] == 1)
    return starts if bool(starts.any()) else None


def _ends(lengths: Tensor) -> Tensor | None:
    """Of cumulative lengths, as kernels for texts of several lengths are given them."""
    if int(lengths[0]) != 0 or not bool((lengths[1:] > lengths[:-1]).all()):
        return None
    starts = torch.zeros(1, int(lengths[-1]), dtype=torch.bool, device=lengths.device)
    starts[0, lengths[1:-1].long()] = True
    return starts
