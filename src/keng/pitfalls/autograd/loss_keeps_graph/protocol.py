"""What a program keeps of the losses it goes backward on, as it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from keng.source import Code
from keng.source.execution.events import Did, Event
from keng.source.execution.values import Constant, Object, Tensor
from keng.source.tree import Tree

DEEPEST = 200
"""Tensors that are followed back from a loss."""
DROPS = frozenset({"clear", "pop", "popleft", "remove", "zero_", "reset"})


class Kept(NamedTuple):
    """Something that outlives an iteration takes a loss of that iteration: what takes it, and the loss."""

    event: Event
    holder: ast.expr
    value: ast.expr


class KeptLosses:
    """The losses of a file that are kept with their graph, where nothing drops them again."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._events = code.execution.events

    def __iter__(self) -> Iterator[Kept]:
        backwards = [each for each in self._events if each.did is Did.BACKWARD]
        for n, event in enumerate(self._events):
            kept = _kept(event) if event.did is Did.KEPT else None
            if kept is None or not _keeps_graph(event) or not event.loops:
                continue
            if _is_dropped(self._code, event, kept.holder):
                continue
            done = {id(each) for each in self._events[:n]}
            own = [each for each in backwards if _is_loss_of(event, each, id(each) in done)]
            if own and not any(_goes_through(each, event.objects[1]) for each in backwards):
                yield kept


def _keeps_graph(event: Event) -> bool:
    tensor = event.objects[0]
    recorded = isinstance(event.recorded, Constant) and bool(event.recorded.value)
    whole = isinstance(tensor, Tensor)
    return recorded and whole and isinstance(event.node, (ast.Call, ast.AugAssign))


def _is_loss_of(kept: Event, backward: Event, done: bool) -> bool:
    """Whether a backward of the same iteration goes through what is kept, and the holder is older. A part
    of the loss counts where it is kept after the backward."""
    loss, tensor = backward.objects[0], kept.objects[0]
    if not backward.loops or backward.loops[-1] not in kept.loops:
        return False
    born = kept.flag.value if isinstance(kept.flag, Constant) else None
    if not isinstance(born, int) or born > backward.loops[-1].birth:
        return False
    if loss is tensor:
        return True
    known = isinstance(tensor, Tensor) and tensor.gradient.known
    return done and known and any(each is tensor for each in _behind(loss))


def _goes_through(backward: Event, holder: object) -> bool:
    """Whether a backward goes through what a holder has gathered."""
    if isinstance(holder, Object):
        return any(isinstance(each, Object) and each is holder for each in backward.objects)
    return any(each is holder for each in _behind(backward.objects[0]))


def _behind(loss: object) -> list[Tensor]:
    """A tensor and those that it is computed from."""
    found: dict[int, Tensor] = {}
    left = [loss] if isinstance(loss, Tensor) else []
    while left and len(found) < DEEPEST:
        each = left.pop()
        if each.number not in found:
            found[each.number] = each
            left += each.parts
    return list(found.values())


def _kept(event: Event) -> Kept | None:
    """`total` and `loss` of `total += loss` and of `total.append(loss)`."""
    match event.node:
        case ast.AugAssign(target=holder, value=value):
            return Kept(event, holder, value)
        case ast.Call(func=ast.Attribute(value=holder), args=[*_, value]):
            return Kept(event, holder, value)
    return None


def _is_dropped(code: Code, event: Event, holder: ast.expr) -> bool:
    """Whether the holder is set or emptied again in the loop, or by a function that the loop may call."""
    while isinstance(holder, ast.Subscript):
        holder = holder.value
    tree, loop = event.tree, _long_loop(event)
    if isinstance(holder, ast.Attribute):
        uses: list[ast.AST] = [*tree.attributes_by_name[holder.attr]]
    elif isinstance(holder, ast.Name):
        uses = [*tree.names_by_id[holder.id]]
    else:
        return True
    here = tree.enclosing_function(event.node)
    around = [each for each in uses if tree.within(each, loop)]
    drops = [each for each in uses if _drops(tree, each)]
    elsewhere = {
        _function_of(tree, each) for each in drops if tree.enclosing_function(each) is not here
    }
    called = _called_in(code if loop in code.tree.parent else code.at(tree), loop)
    return any(each in drops for each in around) or bool(elsewhere & called)


def _long_loop(event: Event) -> ast.stmt:
    """The innermost loop around that may go over a data set: not the few rounds of a `range` in another."""
    nodes = [each.node for each in event.loops]
    return next((each for each in reversed(nodes) if not _is_counted(each)), nodes[0])


def _is_counted(loop: ast.stmt) -> bool:
    """Whether a loop goes over a `range` that is not as long as something else is."""
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=given)):
            inner = [node for each in given for node in ast.walk(each)]
            return not any(isinstance(node, ast.Call) for node in inner)
    return False


def _function_of(tree: Tree, node: ast.AST) -> str:
    function = tree.enclosing_function(node)
    return function.name if function is not None else ""


def _called_in(code: Code, loop: ast.AST) -> set[str]:
    """The names of the functions and methods that a loop calls, and of those that these call."""
    names = {code.calls.attribute_name(call.func) for call in code.below(loop, ast.Call)}
    functions = {f.name: f for f in code.of(ast.FunctionDef)}
    inner = [code.below(functions[name], ast.Call) for name in names if name in functions]
    return names | {code.calls.attribute_name(call.func) for calls in inner for call in calls}


def _drops(tree: Tree, use: ast.AST) -> bool:
    above = tree.parent.get(use)
    if isinstance(getattr(use, "ctx", None), (ast.Store, ast.Del)):
        return not isinstance(above, ast.AugAssign)
    if isinstance(above, ast.Subscript):
        kept = isinstance(tree.parent.get(above), ast.AugAssign)
        return not isinstance(above.ctx, ast.Load) and not kept
    return isinstance(above, ast.Attribute) and above.attr in DROPS
