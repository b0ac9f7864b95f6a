"""A running program: labels that leave out the end of every text, or all tokens of a batch."""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch

from keng.model import Span, say
from keng.run.events import Backward, Forward, RootModule, RunEnd
from keng.run.facts.losses import VIEWS
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

IGNORED = -100
BATCHES = 50
ENDS = 20
"""Ends of texts that must have come, none of which is learned."""
SOME, SHARE = 8, 0.25
"""Batches without labels, and their share of all, that are no accident of a long prompt."""
ROWS, OF_ROWS = 16, 0.1
"""Rows that are cut before their first label, and their share of all."""

ENDED = 10
"""Batches of texts of several lengths, each of which ends in one token that is never learned."""
TRIES = 4
"""Backwards of models that are given ids, after which a program without a loss of tokens is left alone."""
FORWARDS = 32
"""Calls of modules without ids, after which none is looked for until another module is called."""
NEAR = 60
"""Nodes from the loss on: the losses of the tokens are a few operations before it."""
TOKENS = ("NllLossBackward0", "NllLoss2DBackward0")
ALWAYS, MOSTLY = 0.95, 0.6
"""Share of stretches with the same token after them, and of the most frequent last token of the stretches
themselves: where that is always the same, it is the end."""


class LearnedTokens(Recorder):
    """Counts the labels of models that know which token ends a text, and are given ids and labels: those are
    the ids, with -100 in places, where the model predicts the next token."""

    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.where: Span | None = None
        self.batches = self.empty = self.ends = self.learned_ends = self.learned = 0
        self.rows = self.longest = 0
        self.cut: Counter[int] = Counter()

    def root_module(self, event: RootModule) -> None:
        if _ends_of(event.module):
            self.listen(Forward)

    def forward(self, event: Forward) -> None:
        given, ends = event.kwargs, _ends_of(event.module)
        wanted: list[Any] = [given.get(n) for n in ("input_ids", "labels", "attention_mask")]
        ids, labels, mask = wanted
        if not (torch.is_grad_enabled() and ends and _alike(ids, labels)):
            return
        with unwatched():
            self._count(ids, labels, mask if _alike(ids, mask) else None, ends)
        self.where = self.where or here()
        if self.batches == BATCHES:
            self._judge()

    def run_end(self, event: RunEnd) -> None:
        if 0 < self.batches < BATCHES:
            self._judge()

    def _count(self, ids: Tensor, labels: Tensor, mask: Tensor | None, ends: list[int]) -> None:
        learned = labels != IGNORED
        if not torch.equal(
            labels[learned], ids[learned]
        ):  # masked words, or labels that are shifted
            self.batches = BATCHES + 1
            self.ignore(Forward)
            return
        self.batches += 1
        self.empty += not bool(learned.any())
        self.learned += int(learned.sum())
        self._count_rows(learned, mask)
        if mask is not None:
            real = torch.isin(ids, torch.tensor(ends, device=ids.device)) & (mask == 1)
            self.ends += int(real.sum())
            self.learned_ends += int((real & learned).sum())

    def _count_rows(self, learned: Tensor, mask: Tensor | None) -> None:
        """Rows without a label that are as long as their batch, by the length of that."""
        whole = ~learned.any(1) if mask is None else ~learned.any(1) & (mask != 0).all(1)
        rows, length = learned.shape
        self.rows += rows
        self.longest = max(self.longest, length)
        self.cut[length] += int(whole.sum())

    def _judge(self) -> None:
        self.ignore(Forward)
        count = self.batches
        cut = self.cut[self.longest]
        if self.empty >= SOME and self.empty >= SHARE * count:
            says = say("batches-without-labels", empty=self.empty, count=count)
            self.report(says, where=self.where, batches=count)
        elif self.ends >= ENDS and self.learned and not self.learned_ends:
            self.report(say("end-never-learned", ends=self.ends), where=self.where, batches=count)
        elif cut >= ROWS and cut >= OF_ROWS * self.rows and cut == self.cut.total():
            says = say("rows-cut-off", cut=cut, rows=self.rows, length=self.longest)
            self.report(says, where=self.where, rows=self.rows)


class MaskedTokens(Recorder):
    """Tokens whose losses are ignored or multiplied by zero, of any model that is given ids and predicts the next
    one. The token after each learned stretch is the end of an answer if it is always the same one, comes
    once, and the learned ones before it differ. Padding comes more than once; where the longest row of each
    batch has one such token too, it is the end, which pads as well."""

    dormant = (Forward, Backward)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.forwards = 0
        self.ids: ref[Tensor] | None = None
        self.tries = self.batches = 0
        self.after: Counter[int] = Counter()
        self.last: Counter[int] = Counter()
        self.learned: set[int] = set()
        self.ended: Counter[int] = Counter()
        self.where: Span | None = None

    def root_module(self, event: RootModule) -> None:
        self.forwards = 0
        self.listen(Forward)

    def forward(self, event: Forward) -> None:
        self.forwards += 1
        ids = next((t for t in event.inputs if t.dtype is torch.int64 and t.dim() == 2), None)
        if ids is None or not torch.is_grad_enabled() or not ids.is_cpu or ids.shape[1] < 3:
            if not self.batches and self.forwards >= FORWARDS:
                self.ignore(Forward)
            return
        self.ids = ref(ids)
        self.listen(Backward)

    def backward(self, event: Backward) -> None:
        ids, self.ids = self.ids() if self.ids is not None else None, None
        if ids is None or not event.accumulates:
            return
        with unwatched():
            learned = _learned(event.outputs, ids)
            if learned is not None:
                self._count(ids, learned)
        self.tries += learned is None
        self.batches += learned is not None
        if self.batches == BATCHES or (self.tries == TRIES and not self.batches):
            self._judge()

    def run_end(self, event: RunEnd) -> None:
        self._judge()

    def _count(self, ids: Tensor, learned: Tensor) -> None:
        """`learned` is (rows, positions) for the tokens from the second on."""
        tokens = ids[:, 1:]
        self.where = self.where or here()
        self.learned |= set(tokens[learned].tolist())
        ends = learned[:, :-1] & ~learned[:, 1:]
        first = torch.zeros_like(ends)
        first.scatter_(1, ends.int().argmax(1, keepdim=True), True)
        self.ended[_end_of(tokens, learned)] += 1
        for row, at in (ends & first).nonzero().tolist():
            after = int(tokens[row, at + 1])
            again = at + 2 < tokens.shape[1] and int(tokens[row, at + 2]) == after
            self.after[-1 if again else after] += 1
            self.last[int(tokens[row, at])] += 1

    def _judge(self) -> None:
        self.ignore(RootModule, Forward, Backward)
        end, batches = self.ended.most_common(1)[0] if self.ended else (-1, 0)
        enough = batches >= max(ENDED, ALWAYS * self.ended.total())
        if enough and end >= 0 and end not in self.learned:
            says = say("end-is-padding", token=end, batches=batches)
            self.report(says, where=self.where, batches=batches)
            return
        count, counts = sum(self.after.values()), self.after.most_common(1)
        if count < ENDS or self.last.most_common(1)[0][1] > MOSTLY * count:
            return
        token, times = counts[0]
        self.after.clear()
        if token >= 0 and times >= ALWAYS * count and token not in self.learned:
            says = say("last-token-masked", count=count, token=token)
            self.report(says, where=self.where, stretches=count)


def _end_of(tokens: Tensor, learned: Tensor) -> int:
    """The token that fills all rows behind what is learned, once in the longest row and more often in others; -1
    where that is not so, as where padding fills all but the longest row."""
    length = tokens.shape[1]
    tails = learned.flip(1).int().argmax(1)
    if int(tails.min()) != 1 or int(tails.max()) < 2 or not bool(learned.any(1).all()):
        return -1
    end = tokens[0, -1]
    tail = torch.arange(length) >= length - tails[:, None]
    return int(end) if bool((tokens[tail] == end).all()) else -1


def _learned(losses: list[Tensor], ids: Tensor) -> Tensor | None:
    """Which tokens from the second on the loss depends on, (rows, positions); None where it is no loss of
    next tokens, or all of them are learned."""
    waiting: deque[tuple[Any, Tensor | None]] = deque((t.grad_fn, None) for t in losses)
    seen: set[Any] = set()
    while waiting and len(seen) < NEAR:
        node, mask = waiting.popleft()
        if node is None or node in seen:
            continue
        seen.add(node)
        name = node.name()
        if name in TOKENS or name == "GatherBackward0":
            learned = _tokens_of(node, mask, ids)
            if learned is not None:
                return learned
        keeps = mask if name in VIEWS or name == "NegBackward0" else None
        waiting += [
            (after, _mask_of(node) if keeps is None else keeps) for after, _ in node.next_functions
        ]
    return None


def _mask_of(node: Any) -> Tensor | None:
    """The zeros and ones that a product is with."""
    if node.name() != "MulBackward0" or node.next_functions[1][0] is not None:
        return None
    other = node._saved_other
    plain = isinstance(other, torch.Tensor) and other.is_cpu and other.dim() > 0
    return other if plain and bool(((other == 0) | (other == 1)).all()) else None


def _tokens_of(node: Any, mask: Tensor | None, ids: Tensor) -> Tensor | None:
    target = node._saved_target if node.name() in TOKENS else node._saved_index
    rows, length = ids.shape
    if target.numel() not in (rows * length, rows * (length - 1)) or not target.is_cpu:
        return None
    target = target.reshape(rows, -1)
    learned = target >= 0
    if node.name() in TOKENS:
        learned = target != node._saved_ignore_index
    if mask is not None and mask.numel() == target.numel():
        learned = learned & (mask.reshape(rows, -1) != 0)
    target, learned = target[:, : length - 1], learned[:, : length - 1]
    tokens = ids[:, 1:]
    if bool(learned.all()) or not bool(learned.any()):
        return None
    return learned if bool((target[learned] == tokens[learned]).all()) else None


def _ends_of(module: Any) -> list[int]:
    """The tokens that end a text, by the configuration of a model that writes from left to right."""
    config = getattr(getattr(module, "module", module), "config", None)
    ends = getattr(config, "eos_token_id", None)
    if getattr(config, "is_encoder_decoder", False) or isinstance(ends, bool):
        return []
    if isinstance(ends, int):
        return [ends]
    return [each for each in ends if isinstance(each, int)] if isinstance(ends, list) else []


def _alike(ids: Any, other: Any) -> bool:
    """Whether both are (rows, positions)."""
    tensors = isinstance(ids, torch.Tensor) and isinstance(other, torch.Tensor)
    return tensors and ids.dim() == 2 and ids.shape == other.shape
