"""A running program: dimensions are to change places, and `view` mixes their elements."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from keng.model import Hits, Message, Span, say
from keng.rules import watches
from keng.run.facts.loss_graph import LossGraph
from keng.run.graph.nodes import PRODUCTS, computes_a_loss, made_by
from keng.run.user_code import classes_of, line, running

if TYPE_CHECKING:
    from torch.nn import Module

    from keng.source.code import Code

Shape = tuple[int, ...]
VIEWS = ("ViewBackward0", "UnsafeViewBackward0", "ReshapeAliasBackward0")
JOINED = ("CatBackward0", "ConstantPadNdBackward0")
"""A view of what was widened by one shifts it row by row, as relative positions are."""
ATTENDED = ("Bmm", "Baddbmm", "ScaledDotProduct")
SPELLINGS = ("view", "reshape")


@watches(LossGraph)
def elements_in_their_old_order(graph: LossGraph) -> Hits:
    found: dict[Span, Message] = {}
    for node, inside in graph.nodes:
        shapes = _mixed(node)
        if shapes is None:
            continue
        written = _reshaping(None if computes_a_loss(inside) else inside, len(shapes[1]))
        if written:
            call, where = written
            text = shorten(call, 60, placeholder=" ...")
            says = say("view-moves-no-element", call=text, made=shapes[1], given=shapes[0])
            found.setdefault(where, says)
    for where, says in found.items():
        yield graph.hit(says, where=where)


def _mixed(node: Any) -> tuple[Shape, Shape] | None:
    """The shapes before and after a view that mixes dimensions."""
    if node.name() not in VIEWS:
        return None
    before, results = _maker(node), made_by(node)
    if before is None or before.name() in JOINED or not results:
        return None
    given, made = tuple(node._saved_self_sym_sizes), tuple(results[0].shape)
    bare, viewed = ([size for size in shape if size != 1] for shape in (given, made))
    turned = len(bare) > 2 and bare != viewed and sorted(bare) == sorted(viewed)
    split = before.name().startswith(PRODUCTS) and _heads_lost(given, made)
    merged = before.name().startswith(ATTENDED) and _heads_lost(made, given)
    return (given, made) if turned or split or merged else None


def _maker(node: Any) -> Any:
    """The operation that made the numbers: a product of more than two dimensions is one of two, viewed."""
    node = node.next_functions[0][0]
    while node is not None and node.name() in (*VIEWS, "CloneBackward0", "AddBackward0"):
        node = node.next_functions[0][0]
    return node


def _heads_lost(whole: Shape, parted: Shape) -> bool:
    """Whether (batch, time, features) stand against (batch, heads, time, width)."""
    if len(whole) != 3 or len(parted) != 4:
        return False
    batch, time, features = whole
    same = parted[0] == batch and parted[2] == time and parted[1] * parted[3] == features
    return same and parted[1] != time and min(parted[1:]) > 1


def _reshaping(module: Module | None, dims: int) -> tuple[str, Span] | None:
    """The user's call that makes a tensor of so many dimensions, in the classes of a module and its parts,
    or in the function that runs: the first one, where all of them are given the same sizes."""
    calls = _calls_so_far() if module is None else _calls_of(module)
    fit = [(code, call) for code, call in calls if len(_sizes(call)) == dims]
    if len({tuple(map(ast.unparse, _sizes(call))) for _, call in fit}) != 1:
        return None
    code, call = min(fit, key=lambda each: line(*each))
    return ast.unparse(call), line(code, call)


def _calls_so_far() -> Iterator[tuple[Code, ast.Call]]:
    """The calls of the function that runs now, up to the line that runs."""
    if (now := running()) is not None:
        code, body, frame = now
        calls = code.below(body, ast.Call)
        yield from ((code, call) for call in calls if call.lineno <= frame.f_lineno)


def _calls_of(module: Module) -> Iterator[tuple[Code, ast.Call]]:
    for code, owner in classes_of(module):
        yield from ((code, call) for call in code.below(owner, ast.Call))


def _sizes(call: ast.Call) -> list[ast.expr]:
    """The sizes that a call names one by one."""
    if getattr(call.func, "attr", "") not in SPELLINGS:
        return []
    last = call.args[-1] if call.args else None
    sizes = last.elts if isinstance(last, (ast.Tuple, ast.List)) else call.args
    return [] if any(isinstance(each, ast.Starred) for each in sizes) else sizes
