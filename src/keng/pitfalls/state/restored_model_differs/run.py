"""A running program: a restored model lacks a part of what was trained in a model of the same class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch

from keng.model import Span, say
from keng.run.events import InferenceEnd, NewOptimizer, StateLoaded
from keng.run.frames import here
from keng.run.optimizers import parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.user_code import assigned_at, is_own, lineage_of

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

PARTS, LOADED = 4000, 64
"""Tensors of a model that are compared; modules with a loaded state that are followed."""


@dataclass(slots=True)
class Loaded:
    """A state was loaded into a module at `where`; `missing` are the names that it did not have."""

    where: Span | None
    missing: set[str] = field(default_factory=set)


class RestoredModels(Recorder):
    """Compares a module that is evaluated, and that was loaded but never trained, with one of the same class that
    was. What the loaded state had is what the program wanted; what it lacked, and what no state dict has, should
    be the same if that was trained."""

    dormant = (InferenceEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.trained: dict[int, ref[Tensor]] = {}
        self.loaded: WeakKeyDictionary[Module, Loaded] = WeakKeyDictionary()
        self.compared: WeakKeyDictionary[Module, None] = WeakKeyDictionary()

    def new_optimizer(self, event: NewOptimizer) -> None:
        for parameter in parameters_of(event.optimizer):
            self.trained[id(parameter)] = ref(parameter)

    def state_loaded(self, event: StateLoaded) -> None:
        if not self.trained or len(self.loaded) >= LOADED:
            return
        missing = set(getattr(event.result, "missing_keys", ()))
        self.loaded[event.module] = Loaded(here(), missing)
        self.compared.clear()
        self.listen(InferenceEnd)

    def inference_end(self, event: InferenceEnd) -> None:
        module = event.module
        if module in self.compared:
            return
        self.compared[module] = None
        inner = [part for part in module.modules() if part in self.loaded]
        if not inner or any(self._is_trained(p) for p in module.parameters()):
            return
        for root in list(self.run.roots):
            if type(root) is type(module) and root is not module:
                self._compare(root, module, self.loaded[inner[0]].where)

    def _is_trained(self, parameter: Tensor) -> bool:
        known = self.trained.get(id(parameter))
        return known is not None and known() is parameter

    def _compare(self, trained: Module, restored: Module, where: Span | None) -> None:
        mine = dict(trained.named_parameters())
        theirs = dict(restored.named_parameters())
        if mine.keys() != theirs.keys() or len(mine) > PARTS:
            return
        moved = [name for name, p in mine.items() if self._is_trained(p)]
        with unwatched():
            apart = [name for name in moved if _differ(mine[name], theirs[name])]
        if len(apart) == len(moved):
            return  # of another model, or trained further since
        lacking = set(self._missing_of(restored))
        names = [name for name in apart if name in lacking]
        if names and len(names) == len(apart):
            # What no file has is the fault of the line that saves: trained-weights-not-saved.
            if not all(id(mine[name]) in self.run.unsaved for name in names):
                self._report_missing(restored, names, where)
        elif not apart:
            for part, name in _attributes_apart(trained, restored):
                says = say(
                    "attribute-not-saved", attribute=f"self.{name}", kind=type(part).__name__
                )
                self.report(says, where=assigned_at(type(part), name))

    def _missing_of(self, module: Module) -> Iterator[str]:
        """The parameters of a module that its loaded states did not have."""
        for path, part in module.named_modules():
            loaded = self.loaded.get(part)
            for name in loaded.missing if loaded is not None else ():
                yield f"{path}.{name}" if path else name

    def _report_missing(self, module: Module, names: list[str], where: Span | None) -> None:
        values = {"kind": type(module).__name__, "name": names[0], "count": len(names)}
        self.report(say("trained-not-loaded", **values), where=where, parameters=len(names))


def _differ(one: Tensor, other: Tensor) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype or one.layout is not torch.strided:
        return True
    return not torch.equal(one.detach().cpu(), other.detach().cpu())


def _attributes_apart(trained: Module, restored: Module) -> Iterator[tuple[Module, str]]:
    """Tensors that modules of the user's own keep as plain attributes, and that are not the same."""
    for one, other in zip(trained.modules(), restored.modules(), strict=False):
        if type(one) is not type(other):
            return
        for name, value in list(vars(one).items()):
            if type(value) is torch.Tensor and _keeps(type(one), name):
                theirs = getattr(other, name, None)
                with unwatched():
                    if type(theirs) is torch.Tensor and _differ(value, theirs):
                        yield one, name


def _keeps(kind: type, name: str) -> bool:
    """Whether an attribute is a constant of `__init__`, or is always computed from its last value. Others are
    written before they are read, as what a forward keeps for later."""
    assigned = list(_assignments(kind, name))
    return bool(assigned) and all(
        inside == "__init__" or isinstance(node, ast.AugAssign) or _reads(node, name)
        for inside, node in assigned
    )


def _assignments(kind: type, name: str) -> Iterator[tuple[str, Any]]:
    """The statements that give `self.name` a value, each with the name of its method."""
    for code, owner in lineage_of(kind):
        for method in code.below(owner, ast.FunctionDef):
            for node in code.below(method, ast.Assign, ast.AugAssign):
                if any(is_own(each, name) for each in _targets(node)):
                    yield method.name, node


def _targets(node: ast.stmt) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=targets):
            return targets
        case ast.AugAssign(target=target):
            return [target]
    return []


def _reads(node: ast.Assign, name: str) -> bool:
    return any(is_own(each, name) for each in ast.walk(node.value))
