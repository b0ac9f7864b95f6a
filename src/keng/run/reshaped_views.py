"""Views that read a tensor's elements in another order than its dimensions have."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from keng.model import Span
from keng.run.classes import tree_of_class
from keng.run.frames import is_user, user_frames
from keng.run.graph.nodes import PRODUCTS, made_by
from keng.run.lines import scope_of

if TYPE_CHECKING:
    from torch.nn import Module

Shape = tuple[int, ...]
VIEWS = ("ViewBackward0", "UnsafeViewBackward0", "ReshapeAliasBackward0")
JOINED = ("CatBackward0", "ConstantPadNdBackward0")
"""What is widened by one and viewed the other way round is shifted row by row, as relative positions
are."""
ATTENDED = ("Bmm", "Baddbmm", "ScaledDotProduct")
SPELLINGS = ("view", "reshape")


def mixing(node: Any) -> tuple[Shape, Shape] | None:
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
    """What made the numbers: a product of more than two dimensions is one of two, viewed."""
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


def reshaping(module: Module | None, dims: int) -> tuple[str, Span] | None:
    """The user's call that makes a tensor of so many dimensions, in a module's own code and its parts',
    or in the function that runs: the first one, where all of them are given the same sizes."""
    calls = [*(_in_frame() if module is None else _in_classes(module))]
    fit = [(call, span, sizes) for call, span in calls if len(sizes := _sizes(call)) == dims]
    if len({tuple(map(ast.unparse, sizes)) for _, _, sizes in fit}) != 1:
        return None
    call, span, _ = min(fit, key=lambda each: each[1])
    return ast.unparse(call), span


def _in_frame() -> Iterator[tuple[ast.Call, Span]]:
    frame = next(user_frames(), None)
    if frame is None:
        return
    for node in ast.walk(scope_of(frame)):
        if isinstance(node, ast.Call) and node.lineno <= frame.f_lineno:
            yield node, Span(frame.f_code.co_filename, node.lineno)


def _in_classes(module: Module) -> Iterator[tuple[ast.Call, Span]]:
    kinds: set[type] = {type(part) for part in module.modules()}
    for kind in kinds:
        path = getattr(sys.modules.get(kind.__module__), "__file__", "") or ""
        tree, before = tree_of_class(kind) if is_user(path) else (ast.Module([], []), 0)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield node, Span(path, before + node.lineno)


def _sizes(call: ast.Call) -> list[ast.expr]:
    """The sizes that a call names one by one."""
    if getattr(call.func, "attr", "") not in SPELLINGS:
        return []
    last = call.args[-1] if call.args else None
    sizes = last.elts if isinstance(last, (ast.Tuple, ast.List)) else call.args
    return [] if any(isinstance(each, ast.Starred) for each in sizes) else sizes
