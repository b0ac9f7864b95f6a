"""A layer of Code: tensors that are moved along their gradients without an optimizer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.index import names_in
from keng.source.loops import Act, Loop
from keng.source.orders import Orders

MOVING = frozenset({"sub_", "add_", "copy_"})
GOING = (ast.For, ast.AsyncFor)


class ByHand(Orders):
    def moved_by_hand_uncleared(self) -> Iterator[tuple[ast.Call, str]]:
        """The backward of a loop that moves a tensor along its gradient, by itself or in a function that it
        calls, and does nothing to gradients: the call, and the tensor as it is written there."""
        loops = self.loops if ".grad" in self.text else []
        for loop in loops:
            backwards = [s.call for s in loop.own(Act.BACKWARD)]
            if not backwards or any(inner.own(Act.BACKWARD) for inner in loop.inner):
                continue
            acts = (Act.STEP, Act.ZERO_GRAD, Act.OPAQUE)
            if any(map(loop.has, acts)) or self.cleared_around(loop):
                continue
            moved = list(self._moved_in(loop))
            if moved and isinstance(backwards[0], ast.Call) and "" not in moved:
                yield backwards[0], moved[0]

    def _moved_in(self, loop: Loop) -> Iterator[str]:
        """The tensors that a round moves, as text; "" for what may clear a gradient, or is new each time."""
        made = _made_in(loop.node)
        for node in self.below(loop.node, ast.Assign, ast.AugAssign, ast.Call):
            if _may_clear(node):
                yield ""
            elif tensor := _moved(node):
                yield "" if self._names_of(tensor, loop) & made else ast.unparse(tensor)
            elif isinstance(node, ast.Call) and (function := self.definition(node.func)):
                inner = list(ast.walk(function.node))
                texts = [ast.unparse(tensor) for each in inner if (tensor := _moved(each))]
                if any(map(_may_clear, inner)) or (texts and _names_in(node) & made):
                    yield ""
                else:
                    yield from texts

    def _names_of(self, tensor: ast.expr, loop: Loop) -> set[str]:
        """The names that a tensor is reached by; for what a loop within this one goes through, those of
        that."""
        names = _names_in(tensor) | {ast.unparse(tensor)}
        for around in self.ancestors(tensor):
            if around is loop.node:
                break
            if isinstance(around, GOING) and names & (targets := _names_in(around.target)):
                names = names - targets | _names_in(around.iter)
        return names


def _moved(node: ast.AST) -> ast.expr | None:
    """The tensor that a statement or call moves in place by what has its own gradient in it."""
    match node:
        case ast.AugAssign(target=tensor, op=ast.Add() | ast.Sub(), value=by):
            given: list[ast.expr] = [by]
        case ast.Assign(targets=[ast.Attribute(attr="data") as tensor], value=by):
            given = [by]
        case ast.Call(func=ast.Attribute(value=tensor, attr=method), args=given):
            if method not in MOVING:
                return None
        case _:
            return None
    if isinstance(tensor, ast.Attribute) and tensor.attr == "data":
        tensor = tensor.value
    own = f"{ast.unparse(tensor)}.grad"
    found = (n for each in given for n in ast.walk(each) if isinstance(n, ast.Attribute))
    return tensor if any(ast.unparse(each) == own for each in found) else None


def _may_clear(node: ast.AST) -> bool:
    """Whether anything is done to a gradient but to read it."""
    match node:
        case ast.Assign(targets=targets):
            return any(_is_gradient(n) for t in targets for n in ast.walk(t))
        case ast.AugAssign(target=target):
            return any(map(_is_gradient, ast.walk(target)))
        case ast.Call(func=ast.Name(id="print")):
            return False
        case ast.Call(func=ast.Name(), args=given):
            return any(map(_is_gradient, given))
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method not in MOVING:
            given = [*node.args, owner]
            return method.endswith("_") and any(_is_gradient(n) for g in given for n in ast.walk(g))
    return False


def _is_gradient(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "grad"


def _names_in(node: ast.AST) -> set[str]:
    return names_in(node) - {"self"}


def _made_in(loop: ast.AST) -> set[str]:
    """What a round gives another value: names and attributes, as text."""
    inside = list(ast.walk(loop))
    targets = [n.target for n in inside if isinstance(n, GOING)]
    targets += [target for n in inside if isinstance(n, ast.Assign) for target in n.targets]
    stores = (n for target in targets for n in ast.walk(target))
    return {ast.unparse(n) for n in stores if isinstance(getattr(n, "ctx", None), ast.Store)}
