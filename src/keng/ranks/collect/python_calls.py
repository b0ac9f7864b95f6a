"""Collectives that the program calls from Python: what it calls the value, and which memory it sums.

Torch's flight recorder knows the shape of a tensor and the line of a call, not what the value means. The
methods of ProcessGroup are tapped, through which every function of torch.distributed goes.
"""

from __future__ import annotations

import ast
import sys
from functools import cache
from threading import get_ident
from types import FrameType
from typing import Any

import torch.distributed as dist

from keng.model import Span
from keng.ranks.calls import Named
from keng.ranks.collect.section import Looks
from keng.run.frames import user_frames
from keng.run.sampling import Sampler
from keng.run.taps.patches import Patches
from keng.run.user_code import code_at

METHODS = ("allreduce", "allreduce_coalesced", "reduce", "broadcast", "allgather")
SUMS = ("allreduce", "allreduce_coalesced")
MOST_OF_LINE = 16
"""Calls of one line that are noted, besides those of the steps that are checked."""
FRAMES, LONGEST = 3, 60
"""The user's lines by which a call is named, and the characters of each."""
SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)


class PythonCalls:
    """Notes them in `looks`, as long as it is not closed."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._patches = Patches()
        self._program = get_ident()
        self._lines = Sampler(first=MOST_OF_LINE, every=1 << 30)
        for name in METHODS:
            if hasattr(dist.ProcessGroup, name):
                wrapper = self._wrapper(name, getattr(dist.ProcessGroup, name))
                self._patches.put(dist.ProcessGroup, name, wrapper)

    def close(self) -> None:
        self._patches.undo()

    def _wrapper(self, name: str, original: Any) -> Any:
        def tapped(group: Any, *args: Any, **kwargs: Any) -> Any:
            if name in SUMS and get_ident() == self._program:
                self._give(group, args)
            work = original(group, *args, **kwargs)
            if get_ident() == self._program:
                try:
                    self._keep(name, group, args)
                except Exception:  # called in a way that this torch does not use
                    return work
            return work

        return tapped

    def _give(self, group: Any, args: tuple[Any, ...]) -> None:
        """What is summed, as long as it is this rank's own."""
        try:
            tensors, *options = args
            of_all = group.size() == dist.get_world_size() and len(tensors) == 1
            if of_all and options and options[0].reduceOp == dist.ReduceOp.SUM:
                self._looks.totals.give(tensors[0], _place)
        except Exception:  # called in a way that this torch does not use
            return

    def _keep(self, name: str, group: Any, args: tuple[Any, ...]) -> None:
        if not args:
            return
        if name in SUMS and getattr(args[-1], "reduceOp", None) == dist.ReduceOp.SUM:
            for tensor in args[0]:
                self._looks.sum(tensor, group)
        if group.size() != dist.get_world_size():
            if name in SUMS and group.size() > 1:
                ranks = tuple(dist.get_process_group_ranks(group))
                self._looks.summed_in.update((t.data_ptr(), ranks) for t in args[0])
            return
        self._looks.made += 1
        if self._looks.padded:
            self._looks.gathered.update(
                frame.f_code
                for frame in user_frames(sys._getframe(2))
                if frame.f_code in self._looks.padded
            )
        tensors = args[0] if isinstance(args[0], list) else [args[0]]
        if name in SUMS:
            self._looks.summed.update(tensor.data_ptr() for tensor in tensors)
            self._looks.lengths.update(tensor.numel() for tensor in tensors if tensor.dim() == 1)
        if self._looks.now or self._is_rare():
            number = group._get_sequence_number_for_group()
            spoken = dist.distributed_c10d._world.pg_names.get(group, "")
            frames = list(user_frames(sys._getframe(2)))[:FRAMES]
            if frames:
                where = Span(frames[0].f_code.co_filename, frames[0].f_lineno)
                text = " < ".join(map(_text, frames))
                if name in SUMS and self._looks.now:
                    self._looks.lines.update((tensor.data_ptr(), where) for tensor in tensors)
                self._looks.named.append(Named(spoken, number, text, where, name, given(args[-1])))

    def _is_rare(self) -> bool:
        """Whether the line that calls has hardly called yet, as one that averages metrics now and then."""
        frame = next(user_frames(sys._getframe(3)), None)
        return frame is not None and self._lines.due((frame.f_code, frame.f_lineno))


def given(options: Any) -> str:
    """Which operation is asked for, and of which rank."""
    operation, root = getattr(options, "reduceOp", None), getattr(options, "rootRank", None)
    known = dist.ReduceOp.RedOpType.__members__ if operation is not None else {}
    names = [f"operation {name}" for name, value in known.items() if operation == value]
    if root is not None and root >= 0:
        names.append(f"root rank {root}")
    return " ".join(names)


def _place() -> Span | None:
    """The line that calls."""
    frame = next(user_frames(sys._getframe(2)), None)
    return None if frame is None else Span(frame.f_code.co_filename, frame.f_lineno)


def statement_at(where: Span) -> str:
    return _statement(where.path, where.line)[0]


def _text(frame: FrameType) -> str:
    """The statement that a frame is in, with the strings by which it takes a value from a collection."""
    text, names = _statement(frame.f_code.co_filename, frame.f_lineno)
    found = {name: frame.f_locals.get(name) for name in names}
    keys = [f"{name}={value!r}" for name, value in found.items() if isinstance(value, str)]
    return f"{text} ({', '.join(keys)})" if keys else text


@cache
def _statement(path: str, line: int) -> tuple[str, tuple[str, ...]]:
    """The innermost simple statement of a line, and the names that may say which value is meant."""
    code = code_at(path)
    found = [
        node
        for node in (code.of(*SIMPLE) if code is not None else ())
        if node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    if code is None or not found:
        return str(line), ()
    statement = max(found, key=lambda node: node.lineno)
    used = _names(statement)
    keys = _keys(statement)
    for loop in code.tree.ancestors(statement):
        if isinstance(loop, (ast.For, ast.AsyncFor)):
            targets, made = _names(loop.target), code.below(loop, ast.Assign)
            given = [each.value for each in made if _names(each.targets[0]) & used]
            # `for name, value in metrics.items()`: the one says what the other is, and what holds it.
            held = _is_of_mapping(loop.iter) and any(targets & _packed(each) for each in given)
            keys |= targets if targets & used or held else set()
            for each in given:
                keys |= _keys(each)
    return ast.unparse(statement)[:LONGEST], tuple(sorted(keys))


def _is_of_mapping(node: ast.AST) -> bool:
    return ast.unparse(node).removesuffix(")").endswith(".items(")


PACKS = {"tensor", "as_tensor", "stack", "cat", "float", "int"}
"""Functions whose result holds the values that they are given."""


def _packed(node: ast.AST) -> set[str]:
    """The names whose values an expression holds: not those that it computes by."""
    match node:
        case ast.Name(id=name):
            return {name}
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return set().union(*map(_packed, parts))
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[part, *_]):
            return _packed(part) if called in PACKS else set()
    return set()


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _keys(node: ast.AST) -> set[str]:
    """The names in brackets, or given to `.get`."""
    inside = [each.slice for each in ast.walk(node) if isinstance(each, ast.Subscript)]
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and ast.unparse(each.func).endswith(".get"):
            inside += each.args[:1]
    return {name for each in inside for name in _names(each)}
