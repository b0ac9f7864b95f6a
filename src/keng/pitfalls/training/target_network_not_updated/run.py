"""A running program: a copy that is to follow the weights stays what it was."""

from __future__ import annotations

import ast
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
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.user_code import codes, last_word, line

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from keng.source.code import Code

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


WRITERS = {
    "copy_", "lerp_", "mul_", "add_", "set_", "vector_to_parameters", "swap_tensors", "update_parameters",
    "_foreach_lerp_", "_foreach_mul_", "_foreach_add_", "_foreach_copy_", "load_state_dict", "deepcopy",
}  # fmt: skip
"""Functions that write to the parameters of a module, or to tensors in place."""
READERS = {
    "print",
    "len",
    "list",
    "id",
    "isinstance",
    "sum",
    "next",
    "iter",
    "Adam",
    "AdamW",
    "SGD",
}
MEMORY = {"data", "weight", "bias"}
LISTS = {"parameters", "named_parameters"}
LOOPS = (ast.For, ast.AsyncFor, ast.While)


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
        lost = _rebound_at(name)
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
    return bool(NAMES.search(name)) and not _may_be_written(name)


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


def _may_be_written(name: str) -> bool:
    """Whether what runs again and again writes to some tensor in place, makes a copy, or hands the module
    of that name to a function. Constructors and the top of a file run once."""
    return any(
        _runs_again(code, node) and _writes(node, name)
        for code in codes()
        for node in code.of(ast.Call, ast.Assign, ast.AugAssign, ast.For)
    )


def _runs_again(code: Code, node: ast.AST) -> bool:
    """Whether a node is, or is in, a loop or a function other than a constructor."""
    if isinstance(node, LOOPS):
        return True
    for above in code.tree.ancestors(node):
        if isinstance(above, LOOPS):
            return True
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)) and above.name != "__init__":
            return True
    return False


def _writes(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=called)) | ast.Call(func=ast.Name(id=called)):
            given = (each for each in node.args if isinstance(each, (ast.Name, ast.Attribute)))
            handed = called not in READERS and any(_is_named(each, name) for each in given)
            return called in WRITERS or handed
        case ast.Assign(targets=[ast.Attribute(attr=set_to)]):
            return set_to in MEMORY
        case ast.AugAssign(target=ast.Attribute(attr=added_to)):
            return added_to in MEMORY
        case ast.For():
            added = (each.target for each in ast.walk(node) if isinstance(each, ast.AugAssign))
            return _is_over_parameters(node.iter) and any(
                _is_bound_by(each, node) for each in added
            )
    return False


def _rebound_at(name: str) -> Span | None:
    """The line in a loop over the parameters of a module of that name that binds the loop's own variable
    to a new tensor, made from another one of the loop: `slow = 0.99 * slow + 0.01 * fast`. That writes
    nowhere."""
    for code in codes():
        for loop in code.of(ast.For):
            if _is_over_parameters(loop.iter, name):
                for node in code.below(loop, ast.Assign):
                    if _rebinds(node, loop):
                        return line(code, node)
    return None


def _rebinds(node: ast.Assign, loop: ast.For) -> bool:
    """Whether a variable of the loop is bound to something made from another of its variables."""
    target = node.targets[0]
    if not isinstance(target, ast.Name) or not _is_bound_by(target, loop):
        return False
    used = (each for each in ast.walk(node.value) if isinstance(each, ast.Name))
    return any(each.id != target.id and _is_bound_by(each, loop) for each in used)


def _is_bound_by(target: ast.AST, loop: ast.For) -> bool:
    """Whether a name is a variable of the loop."""
    own = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    return isinstance(target, ast.Name) and target.id in own


def _is_over_parameters(node: ast.AST, name: str = "") -> bool:
    """Whether these are the parameters of a module, of that name if there is one."""
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr in LISTS
        and (not name or _is_named(each.func.value, name))
        for each in ast.walk(node)
    )


def _is_named(node: ast.expr, name: str) -> bool:
    """By the last word: `self.target` in one place is `agent.target` in another."""
    return last_word(node) == name.rpartition(".")[2]
