"""What a forward may write outside of its modules, remembered and put back: counters on classes, globals of
their files, variables of enclosing functions, and what these hold."""

from __future__ import annotations

import random
import sys
import types
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import Module

PLAIN = (bool, int, float, complex, str, bytes, tuple, frozenset, type(None))
DEPTH = 4
MOST = 100_000
"""Entries of a container, and elements of a tensor, above which its contents are not remembered."""
LIBRARIES = ("torch", "torchvision", "transformers", "numpy", "builtins")


class ProgramState:
    """Remembers on entry what classes and files of a model hold; puts back what differs on `restore`."""

    def __init__(self, model: Module) -> None:
        self._seen: set[int] = {id(each) for each in model.modules()}
        self._undo: list[Callable[[], None]] = []
        self._left = MOST
        for kind in _classes(model):
            self._remember_names(
                dict(vars(kind)), Names(vars(kind), partial(setattr, kind), partial(delattr, kind))
            )
        for names in _globals(model):
            self._remember_names(dict(names), Names(names, names.__setitem__, names.__delitem__))
        for cell in _cells(model):
            self._remember_cell(cell)

    def restore(self) -> None:
        for undo in self._undo:
            undo()

    def _remember_names(self, before: dict[str, Any], names: Names) -> None:
        own = {name: value for name, value in before.items() if not name.startswith("__")}
        self._undo.append(partial(_put_back, names, own))
        for value in own.values():
            self._remember(value, DEPTH)

    def _remember_cell(self, cell: types.CellType) -> None:
        try:
            value = cell.cell_contents
        except ValueError:  # not bound yet
            return
        if isinstance(value, PLAIN):
            self._undo.append(partial(setattr, cell, "cell_contents", value))
        self._remember(value, DEPTH)

    def _remember(self, value: Any, depth: int) -> None:
        known = (*PLAIN, Module, type, types.ModuleType)
        if not depth or self._left <= 0 or isinstance(value, known) or id(value) in self._seen:
            return
        self._left -= 1
        self._seen.add(id(value))
        if isinstance(value, Tensor):
            self._remember_tensor(value)
        elif isinstance(value, torch.Generator):
            self._undo.append(partial(_set_state, value, value.get_state()))
        elif isinstance(value, (dict, list, set, deque, bytearray)):
            self._remember_container(value, depth)
        elif isinstance(value, types.FunctionType):
            self._remember(vars(value), depth - 1)
        elif hasattr(value, "__dict__") and _of_user(type(value).__module__):
            self._remember(vars(value), depth)
        elif type(value).__module__.startswith("numpy.random") or isinstance(value, random.Random):
            self._remember_generator(value)

    def _remember_tensor(self, value: Tensor) -> None:
        if value.numel() <= MOST and value.is_leaf and value.layout is torch.strided:
            self._undo.append(partial(_rewrite, value, value.detach().clone()))

    def _remember_container(self, value: Any, depth: int) -> None:
        if len(value) > MOST:
            return
        self._undo.append(partial(_refill, value, value.copy()))
        if not isinstance(value, bytearray):
            for each in list(value.values() if isinstance(value, dict) else value):
                self._remember(each, depth - 1)

    def _remember_generator(self, value: Any) -> None:
        if isinstance(value, random.Random):
            self._undo.append(partial(value.setstate, value.getstate()))
        elif hasattr(value, "bit_generator"):
            bits = value.bit_generator
            self._undo.append(partial(setattr, bits, "state", bits.state))


class Names(NamedTuple):
    """The names of a class or a file: read, bound and deleted."""

    now: Mapping[str, Any]
    bind: Callable[[str, Any], None]
    delete: Callable[[str], None]


def _set_state(generator: torch.Generator, state: Tensor) -> None:
    generator.set_state(state)


def _put_back(names: Names, own: dict[str, Any]) -> None:
    for name in [name for name in names.now if name not in own and not name.startswith("__")]:
        names.delete(name)
    for name, value in own.items():
        if names.now.get(name, names) is not value:
            names.bind(name, value)


def _rewrite(tensor: Tensor, kept: Tensor) -> None:
    if tensor.shape != kept.shape or not torch.equal(tensor.detach(), kept):
        tensor.data = tensor.data.resize_(kept.shape).copy_(kept)


def _refill(value: Any, kept: Any) -> None:
    """Puts back what a container held; one that holds the same objects is not touched."""
    if isinstance(value, dict):
        same = list(value) == list(kept) and all(value[key] is kept[key] for key in kept)
    elif isinstance(value, set):
        same = value == kept
    else:
        same = len(value) == len(kept) and all(a is b for a, b in zip(value, kept, strict=True))
    if same:
        return
    value.clear()
    if isinstance(value, (dict, set)):
        value.update(kept)
    else:
        value.extend(kept)


def _classes(model: Module) -> list[type]:
    """The user's classes of a model's modules, with their bases."""
    kinds = {kind: None for module in model.modules() for kind in type(module).__mro__}
    return [kind for kind in kinds if _of_user(kind.__module__)]


def _functions(model: Module) -> Iterator[types.FunctionType]:
    for kind in _classes(model):
        for value in vars(kind).values():
            value = getattr(value, "__wrapped__", getattr(value, "__func__", value))
            if isinstance(value, types.FunctionType):
                yield value
    for module in model.modules():
        yield from (each for each in vars(module).values() if isinstance(each, types.FunctionType))


def _globals(model: Module) -> list[dict[str, Any]]:
    """The global names of the files that define these classes."""
    return list({id(each.__globals__): each.__globals__ for each in _functions(model)}.values())


def _cells(model: Module) -> Iterator[types.CellType]:
    """The variables of enclosing functions that methods of these classes use."""
    for function in _functions(model):
        yield from function.__closure__ or ()


def _of_user(module: str) -> bool:
    if module.partition(".")[0] in LIBRARIES:
        return False
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return "site-packages" not in file and "dist-packages" not in file
