"""Source code: a network that an optimizer holds runs where gradients are off."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain

from keng.model import Hits, say
from keng.pitfalls.autograd._shared_flow import UNRECORDED, steps_on_nothing
from keng.rules import finds
from keng.source import Code, Grad, Kind
from keng.source.tree import FUNCTIONS, Function, member

OFF = frozenset({"torch.no_grad", "torch.inference_mode"})
RUNS = ("forward", "__call__")
FOLLOWS = re.compile(
    r"target|momentum|ema|teacher|key|rand|fixed|frozen|pretrain|_k$|_m$|old|ref|prior|vae", re.I
)
"""Names of networks that learn from another one, or not at all."""


@finds(mentions=["no_grad", "inference_mode"])
def forward_without_gradients(code: Code) -> Hits:
    """`@torch.no_grad()` on the forward of a network that the file trains."""
    if not any(True for _ in code.calls.method_calls("backward")):
        return
    for owner in code.of(ast.ClassDef):
        for name in RUNS:
            method = member(owner, [name])
            off = _decorator(code, method) if isinstance(method, FUNCTIONS) else None
            if off is not None and _is_optimized(code, owner):
                yield code.hit(off, say("forward-off", network=owner.name, method=name))


def _decorator(code: Code, method: Function) -> ast.expr | None:
    for each in method.decorator_list:
        made = each.func if isinstance(each, ast.Call) else each
        if code.names.resolve(made) in OFF:
            return each
    return None


def _is_optimized(code: Code, owner: ast.ClassDef) -> bool:
    """Whether an optimizer of the file is given the parameters of an instance of a class, and no other's."""
    for call in code.calls.method_calls("parameters"):
        made = code.types.value_of(code.tree.receiver(call)).definition
        above = code.tree.parent[call]
        if made is not None and made.node is owner and isinstance(above, ast.Call):
            return code.types.kind_of(above) is Kind.OPTIMIZER
    return False


@finds(mentions=["no_grad", "inference_mode"])
def part_without_gradients(code: Code) -> Hits:
    """`with torch.no_grad(): x = self.encoder(x)`, where the layers of the encoder are new."""
    if b"def forward" not in code.tree.data:
        return
    for owner in code.of(ast.ClassDef):
        forward = member(owner, ["forward"])
        if not isinstance(forward, FUNCTIONS) or code.types.kind_of_class(owner) is not Kind.MODULE:
            continue
        for call, name in _parts_off(code, owner, forward):
            trains = any(True for _ in code.calls.method_calls("backward"))
            says = say("part-off", part=name, network=owner.name)
            yield code.hit(call, says, sure=trains)  # a library may give it weights


@finds(mentions=["backward"])
def trained_without_recording(code: Code) -> Hits:
    """An optimizer whose losses all come from outputs that a helper or a decorator did not record."""
    yield from steps_on_nothing(
        code, UNRECORDED, chain(forward_without_gradients(code), part_without_gradients(code))
    )


def _parts_off(
    code: Code, owner: ast.ClassDef, forward: Function
) -> Iterator[tuple[ast.Call, str]]:
    for call in code.below(forward, ast.Call):
        match call.func:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if not FOLLOWS.search(name):
                inside = code.around(call, ast.With)
                if inside is None or not code.within(inside, forward):
                    continue
                off = code.modes.grad_within(call) is Grad.OFF
                if off and _is_new(code, owner, name) and _is_only_called(code, owner, name):
                    yield call, f"self.{name}"


def _is_new(code: Code, owner: ast.ClassDef, name: str) -> bool:
    """Whether an attribute is a layer of torch.nn with parameters, as `__init__` draws it."""
    given = code.classes.attributes(owner).get(name, [])
    if len(given) != 1 or given[0][1] or not isinstance(made := given[0][0], ast.Call):
        return False
    dotted = code.names.resolve(made.func)
    return dotted.startswith("torch.nn.") and code.registration.has_parameters(made)


def _is_only_called(code: Code, owner: ast.ClassDef, name: str) -> bool:
    """Whether all that a file does with a part is to call it without gradients: nothing loads, copies or
    freezes it."""
    for use in code.tree.attributes_by_name[name]:
        if isinstance(use.ctx, ast.Store):
            continue
        above = code.tree.parent[use]
        if not isinstance(above, ast.Call) or above.func is not use:
            return False
        if code.modes.grad_within(above) is not Grad.OFF:
            return False
    return b"requires_grad" not in code.text_of(owner).encode()
