"""A running program: a copy that is to follow the weights stays what it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch

from keng.model import Hits, Span, say
from keng.rules import watches
from keng.run.events import RootModule, StateLoading, Step
from keng.run.facts.own_state import TIMES, OwnStateLoaded
from keng.run.frames import here, kept_as
from keng.run.optimizers import held_by, optimizers, sample_of
from keng.run.parameter_writers import bound_anew, may_be_written
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

LOOKS = (30, 90, 270)
"""Steps after which a copy is checked."""
SEARCHES = 16
"""Steps before which copies are looked for, since a model is new."""
WRITES = 2
DEPTH = 2
"""Dots in the path of a module that may be a copy: `agent.target.body`."""
LOOKED_AT = 8
NAMES = re.compile(
    r"(?:^|[._])(?:target\w*|tgt|slow|ema|momentum|shadow|averaged?|k|key)(?:[._]|$)", re.IGNORECASE
)
"""A copy that a loss is held against, as a reference, is to stay. These names are of what follows."""


@dataclass(slots=True)
class Copy:
    """A module that has begun with the weights of another, which trains."""

    module: ref[Module]
    of: ref[Module]
    since: int
    version: int
    samples: list[Tensor]
    looks: int = 0
    written: Span | None = None

    def stays(self) -> bool:
        """Whether nothing of it has moved, and all of what it is a copy of."""
        module, of = self.module(), self.of()
        if module is None or of is None:
            return False
        mine, theirs = _samples(module), _samples(of)
        still = all(a.equal(b) for a, b in zip(mine, self.samples, strict=True))
        return still and not any(a.equal(b) for a, b in zip(theirs, self.samples, strict=True))


class ModuleCopies(Recorder):
    """Pairs of modules of one structure with the same weights before a step, one in an optimizer and one
    in none. A copy is reported if it is written to and stays the same, or if a line was meant to write to
    it; one that nothing writes to, only if its name says that it follows and nothing in the program could
    write to it."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.copies: list[Copy] = []
        self.steps = 0
        self.fresh = False
        self.searches = 0

    def root_module(self, event: RootModule) -> None:
        # Some programs construct a loss, which is a module too, or a model at each step.
        if self.searches < SEARCHES and next(event.module.parameters(), None) is not None:
            self.fresh = True
            self.listen(Step)

    def state_loading(self, event: StateLoading) -> None:
        for copy in self.copies:
            if copy.module() is event.module:
                copy.written = here()

    def step(self, event: Step) -> None:
        self.steps += 1
        due = [c for c in self.copies if self.steps - c.since == LOOKS[c.looks]]
        if self.fresh or due:
            with unwatched():
                self._look(due)
        if not self.copies:
            self.ignore(Step)

    def _look(self, due: list[Copy]) -> None:
        twins = self._twins() if self.fresh else []
        if not twins and not due:
            return  # all objects there are need not be asked whether they are optimizers
        trained = held_by(optimizers())
        known = [copy.module() for copy in self.copies]
        found = _copies(twins, trained)
        self.copies += [self._copy(m, of) for m, of in found if all(m is not k for k in known)]
        for copy in due:
            copy.looks += 1
            goes_on = self._judge(copy, trained)
            if not goes_on or copy.looks == len(LOOKS):
                self.copies.remove(copy)

    def _twins(self) -> list[list[Module]]:
        self.fresh = False
        self.searches += 1
        return _twins([*self.run.roots])

    def _copy(self, module: Module, of: Module) -> Copy:
        version = _first(module)._version
        return Copy(ref(module), ref(of), self.steps, version, _samples(module))

    def _judge(self, copy: Copy, trained: set[int]) -> bool:
        """Whether it is worth another look."""
        module, of = copy.module(), copy.of()
        if module is None or of is None or id(_first(module)) in trained or not copy.stays():
            return False
        writes = _first(module)._version - copy.version
        if 0 < writes < WRITES:
            return True
        name = kept_as(module) or self.run.module_name(module)
        lost = bound_anew(name)
        if not writes and lost is None and not _is_to_follow(name):
            return True
        place = copy.written or lost
        steps = self.steps - copy.since

        values = {"module": name, "of": self.run.module_name(of), "steps": steps}
        written = say("writes-own-values", writes=writes, **values)
        says = written if writes else say("nothing-writes", **values)
        self.report(says, where=place, steps=steps, writes=writes)
        return False


def _is_to_follow(name: str) -> bool:
    return bool(NAMES.search(name)) and not may_be_written(name)


def _twins(roots: list[Module]) -> list[list[Module]]:
    """Modules of one kind and the same shapes, where there are several."""
    kinds: dict[Any, list[Module]] = {}
    for module in {id(m): m for root in roots for m in _outer(root)}.values():
        if not all(_is_plain(parameter) for parameter in module.parameters()):
            continue
        shapes = tuple(parameter.shape for parameter in module.parameters())
        if any(len(shape) > 1 for shape in shapes):
            kinds.setdefault((type(module), shapes), []).append(module)
    return [modules for modules in kinds.values() if len(modules) > 1]


def _copies(twins: list[list[Module]], trained: set[int]) -> Iterator[tuple[Module, Module]]:
    """What is in no optimizer, and what is, of the same values."""
    inside: set[int] = set()
    for modules in twins:
        learning = [m for m in modules if id(_first(m)) in trained]
        for module in modules if learning else ():
            if id(_first(module)) in trained or id(module) in inside:
                continue
            of = next((each for each in learning if _are_equal(module, each)), None)
            if of is not None:
                inside.update(id(part) for part in module.modules())
                yield module, of


def _outer(root: Module) -> Iterator[Module]:
    for path, module in root.named_modules():
        if path.count(".") <= DEPTH:
            yield module


def _is_plain(parameter: Tensor) -> bool:
    """Its numbers are here, all of them: no other rank has to be asked, and it has some."""
    return type(parameter) is torch.nn.Parameter and not parameter.is_meta


def _first(module: Module) -> Tensor:
    """Its first parameter that is a matrix: biases and scales begin alike in all layers."""
    return next(p for p in module.parameters() if p.dim() > 1)


def _are_equal(one: Module, other: Module) -> bool:
    first = _first(one)
    if not first.numel() or bool((first == first.reshape(-1)[0]).all()):
        return False
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return all(a.device == b.device and a.equal(b) for a, b in pairs)


def _samples(module: Module) -> list[Tensor]:
    matrices = [p for p in module.parameters() if p.dim() > 1]
    return [sample_of(p) for p in matrices[:LOOKED_AT]]


@watches(OwnStateLoaded)
def loaded_from_what_it_is(fact: OwnStateLoaded) -> Hits:
    trained = held_by(optimizers()) if fact.times == TIMES else set()
    if any(id(p) in trained for p in fact.module.parameters()):
        says = say("given-own-state", module=fact.run.module_name(fact.module))
        yield fact.hit(says, times=TIMES)
