"""Stretches in which a module is run and not trained: validation, most often."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet, ref

import torch

from keng.model import Span
from keng.run.events import (
    Backward,
    Batch,
    EpochBegin,
    EpochEnd,
    ForwardEnd,
    InferenceEnd,
    Loss,
    Paused,
    RootModule,
    RunEnd,
    StepEnd,
)
from keng.run.frames import here, is_discarded
from keng.run.recorder import Fact, Recorder
from keng.run.state import Mark, RunState
from keng.run.user_code import code_at

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

REMEMBERED = 64


@dataclass(slots=True)
class Pass:
    """One run through a DataLoader, which is known by the sampler that is its own."""

    loader: Any


@dataclass(slots=True)
class Stretch:
    """Calls of one module, over one pass, with no backward in between."""

    module: ref[Module]
    over: Pass | None
    training: bool
    records: bool
    place: Span | None
    fresh: bool
    used: bool
    scored: bool
    trained: bool = False
    forwards: int = 0
    losses: int = 0
    whole: bool = False
    name: str = ""
    marks: list[ref[Mark]] = field(default_factory=list)

    def again(self, module: Module, over: Pass | None) -> bool:
        """Whether this serves for the next training step as well: most are like the one before."""
        trained = self.training and self.records and self.place is None
        seen = self.over is over and self.fresh is (over is None)
        return trained and seen and module.training and self.module() is module

    def abandoned(self) -> bool:
        """All graphs died without a backward; the last may live on in a variable."""
        alive = sum(mark() is not None for mark in self.marks)
        return alive == 0 or (alive == 1 and self.forwards > 1)


class Evaluation(Fact):
    """A module has been run on data and not trained on it; shown when that is certain.

    `whole` where the data was a DataLoader's and all of it was used, one call a batch; otherwise a loss was
    computed at each call, or gradients were recorded in vain. `fresh` where the module has never been
    trained on this data, `trained` where it has been trained at all, `used` where its outputs were not
    discarded, `scored` where they are compared with something, as with labels. `forwards` are its calls;
    `training` and `records` whether it was in training mode and had a graph, `where` the first call.
    """

    name: str
    module: ref[Module]
    forwards: int
    training: bool
    records: bool
    whole: bool
    fresh: bool
    trained: bool
    used: bool
    scored: bool
    where: Span | None


class Evaluations(Recorder):
    """What follows tells a stretch from training: no backward reaches it. Without gradients that is
    certain when its epoch ends; with them, when its graphs are gone."""

    provides = (Evaluation,)
    sampled = (Batch, ForwardEnd, Loss, Backward, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.passes: WeakKeyDictionary[Any, Pass] = WeakKeyDictionary()
        self.now: Pass | None = None
        self.stretch: Stretch | None = None
        self.last: Stretch | None = None
        self.pending: list[Stretch] = []
        self.trained: dict[int, ref[Any]] = {}
        self.plain: WeakSet[Any] = WeakSet()
        self.learning: WeakSet[Any] = WeakSet()
        self.learned: WeakSet[Any] = WeakSet()
        self.trained_on: WeakSet[Any] = WeakSet()
        self.inputs: dict[int, None] = {}
        self.tail: dict[int, Stretch] = {}
        self.tail_step = 0

    def paused(self, event: Paused) -> None:
        self.stretch, self.pending = None, []

    def epoch_begin(self, event: EpochBegin) -> None:
        self.now = self.passes[event.iterator] = Pass(event.iterator._index_sampler)

    def batch(self, event: Batch) -> None:
        iterator = event.iterator
        over = self.passes.get(iterator)
        if over is None:
            over = self.passes[iterator] = Pass(iterator._index_sampler)
        self.now = over

    def epoch_end(self, event: EpochEnd) -> None:
        over = self.passes.pop(event.iterator, None)
        stretch = self.stretch
        if over is None:
            return
        for each in self.tail.values():
            each.whole |= each.over is over and each.forwards == event.iterator._num_yielded
        if stretch is not None and stretch.over is over:
            stretch.whole = stretch.forwards == event.iterator._num_yielded
            self._close()
        if self.now is over:
            self.now = None

    def root_module(self, event: RootModule) -> None:
        if next(event.module.parameters(), None) is None:
            self.plain.add(event.module)

    def forward_end(self, event: ForwardEnd) -> None:
        # A criterion that is a module is no end of a stretch.
        if not event.outputs or event.module in self.plain:
            return
        out = event.outputs[0]
        records = out.grad_fn is not None
        stretch = self._stretch_of(event.module, records)
        stretch.forwards += 1
        if records and self.run.marked is not None:
            stretch.marks.append(self.run.marked)
        if self.now is None:
            self._compare(event.inputs, stretch)

    def inference_end(self, event: InferenceEnd) -> None:
        """What comes after the last step may come in a pause: it is kept until the next step."""
        module = event.module
        if self.run.sampling or not module.training or module in self.plain:
            return
        if self.tail_step != self.run.step:
            self.tail_step = self.run.step
            self.tail.clear()
        stretch = self.tail.get(id(module))
        if stretch is None:
            stretch = self.tail[id(module)] = Stretch(
                module=ref(module),
                over=self.now,
                training=True,
                records=False,
                place=here(),
                fresh=True,
                used=True,
                scored=False,
            )
        stretch.forwards += 1
        if self.now is None:
            self._compare(event.inputs, stretch)

    def _close_tail(self) -> None:
        if self.tail_step != self.run.step:
            return
        for stretch in self.tail.values():
            module, place, over = stretch.module(), stretch.place, stretch.over
            if module is None or place is None or not self._is_trained(module):
                continue
            stretch.trained = True
            stretch.fresh &= over is None or over.loader not in self.trained_on
            once = over is None and stretch.forwards == 1
            stretch.scored = once and _scores(place.path, place.line)
            if stretch.whole or stretch.scored:
                self._say(stretch)

    def _compare(self, inputs: list[Tensor], stretch: Stretch) -> None:
        """Without a loader, data is known by where it lies."""
        learns = stretch.records and stretch.training
        for tensor in inputs:
            if tensor.layout is not torch.strided:
                continue  # it has no storage
            storage = tensor.untyped_storage().data_ptr()
            if learns:
                self.inputs[storage] = None
            elif storage in self.inputs:
                stretch.fresh = False

    def _stretch_of(self, module: Any, records: bool) -> Stretch:
        """The stretch that a call belongs to: the one under way, or a new one."""
        at = self.stretch
        same = at is not None and at.module() is module and at.over is self.now
        if at is not None and same and (at.training, at.records) == (module.training, records):
            return at
        self._close()
        last, self.last = self.last, None
        serves = last is not None and records and last.again(module, self.now)
        self.stretch = last if last is not None and serves else self._begun(module, records)
        return self.stretch

    def _begun(self, module: Any, records: bool) -> Stretch:
        over = self.now
        fresh = over is not None and over.loader not in self.trained_on
        if module.training and records and module not in self.learned:
            self.learning.add(module)
        return Stretch(
            module=ref(module),
            over=over,
            training=module.training,
            records=records,
            # Where a module is trained there is nothing to say, and nothing to look up.
            place=None if module.training and records and not fresh else here(),
            fresh=fresh or over is None,
            used=records or not is_discarded(),
            # Without a loader or a loss, what is done with the outputs of all data decides.
            scored=over is None and module.training and not records and _is_scored(),
        )

    def _is_trained(self, module: Any) -> bool:
        owner = _owner(module)
        known = self.trained.get(id(owner))
        return known is not None and known() is owner

    def loss(self, event: Loss) -> None:
        if self.stretch is not None and not self.stretch.records:
            self.stretch.losses += 1

    def backward(self, event: Backward) -> None:
        # What has just run is what is trained now, or what gradients are wanted of.
        self.last, self.stretch = self.stretch, None
        if self.last is not None:
            self.last.forwards = self.last.losses = 0
            self.last.marks.clear()
        if self.now is not None:
            self.trained_on.add(self.now.loader)
        if self.pending:
            self._judge()

    def step_end(self, event: StepEnd) -> None:
        if self.learning:
            for module in self.learning:
                owner = _owner(module)
                self.trained[id(owner)] = ref(owner)
            self.learned |= self.learning
            self.learning = WeakSet()
        while len(self.inputs) > REMEMBERED:
            del self.inputs[next(iter(self.inputs))]

    def run_end(self, event: RunEnd) -> None:
        self._close()
        self._close_tail()
        self._judge(last=True)

    def _close(self) -> None:
        """The stretch is over: said at once where nothing was recorded, kept where it was."""
        stretch, self.stretch = self.stretch, None
        module = stretch.module() if stretch is not None else None
        if stretch is None or module is None:
            return
        stretch.trained = self._is_trained(module)
        if not stretch.records:
            # Several calls a loss are Monte Carlo dropout; no loss at all, a rollout.
            alone = stretch.over is None and stretch.losses == stretch.forwards
            if stretch.whole or alone or (stretch.scored and stretch.forwards == 1):
                self._say(stretch)
        elif len(self.pending) < REMEMBERED:
            self.pending.append(stretch)
            # Named while its caller still runs. A network that trains is closed at every step.
            if not stretch.training or stretch.whole:
                stretch.name = self._name(stretch)

    def _judge(self, last: bool = False) -> None:
        pending, self.pending = self.pending, []
        for stretch in pending:
            # Where graphs are still alive this backward may reach them.
            if last or stretch.abandoned():
                self._say(stretch)

    def _name(self, stretch: Stretch) -> str:
        """At the end no frame of the program runs, but its own variables are still there."""
        module = stretch.module()
        if module is None:
            return ""
        known = vars(sys.modules["__main__"]).items()
        direct = next((name for name, value in list(known) if value is module), "")
        return direct or self.run.module_name(module)

    def _say(self, stretch: Stretch) -> None:
        if stretch.module() is None:
            return
        self.show(
            Evaluation(
                self.run,
                name=stretch.name or self._name(stretch),
                module=stretch.module,
                forwards=stretch.forwards,
                training=stretch.training,
                records=stretch.records,
                whole=stretch.whole,
                fresh=stretch.fresh,
                trained=stretch.trained,
                used=stretch.used,
                scored=stretch.scored,
                where=stretch.place,
            )
        )


def _owner(module: Any) -> Any:
    """A wrapper (compiled, data parallel) and what it wraps train the same parameters."""
    return next(module.parameters(), module)


def _is_scored() -> bool:
    """Whether the function that runs now, or at the top of a file the `with` block, compares what its running
    statement computes with something that has a name, as predictions with labels, and neither calls backward
    nor chooses a mode."""
    place = here()
    return place is not None and _scores(place.path, place.line)


@lru_cache(maxsize=256)
def _scores(path: str, line: int) -> bool:
    from keng.source.tree import names_in

    code = code_at(path)
    body: ast.AST | None = code.tree.body_at(line) if code is not None else None
    if code is not None and isinstance(body, ast.Module):
        blocks = code.tree.on_line(line, ast.With)
        body = max(blocks, key=code.tree.position, default=None)
    if code is None or body is None:
        return False
    if any(node.attr in ("backward", "train") for node in code.below(body, ast.Attribute)):
        return False
    known: set[str] = set()
    for each in code.below(body, ast.Assign):
        if code.tree.covers(each, line) or known & names_in(each.value):
            known |= {name for target in each.targets for name in names_in(target)}
    return any(_compares(node, known) for node in code.below(body, ast.Compare, ast.Call))


def _compares(node: ast.AST, known: set[str]) -> bool:
    from keng.source.tree import names_in

    match node:
        case ast.Compare(left=one, ops=[ast.Eq()], comparators=[other]):
            sides = [names_in(one), names_in(other)]
        case ast.Call(func=ast.Attribute(value=one, attr="eq"), args=[other]):
            sides = [names_in(one), names_in(other)]
        case _:
            return False
    return any(side & known for side in sides) and any(side - known for side in sides)
