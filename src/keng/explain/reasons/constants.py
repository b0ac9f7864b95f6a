"""Values of expressions of the user's: literals, arithmetic of constants, and what live frames hold."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from itertools import islice

from keng.explain.reasons.evaluation import Evaluator, Unknown
from keng.explain.reasons.levels import Level
from keng.explain.reasons.source import Source
from keng.explain.reasons.written import Written

MOST_DEEP = 6
LARGEST = 10**9
OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Mult: operator.mul,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.FloorDiv: operator.floordiv,
}


class Constants:
    """`writing` finds what a name was given, `levels` have the frames that still hold values."""

    def __init__(self, levels: Sequence[Level], writing: Written) -> None:
        self._levels = levels
        self._writing = writing

    def of(self, source: Source, node: ast.expr) -> object:
        """None where it is not known."""
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            pass
        found = self._folded(source, node)
        computed = isinstance(node, ast.BinOp | ast.Call)
        return self._alive(source, node) if found is None and computed else found

    def _folded(self, source: Source, node: ast.expr, deep: int = 0) -> int | None:
        """The product, sum, difference or quotient of whole numbers, through names."""
        if deep > MOST_DEEP:
            return None
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                one = self._folded(source, left, deep + 1)
                other = self._folded(source, right, deep + 1)
                return _applied(OPERATORS[type(op)], one, other)
            case ast.Name() if deep:
                steps = list(islice(self._writing.given(source, node), 2))
                at = self._writing.source_of(steps[0]) if len(steps) == 1 else None
                return self._folded(at, steps[0].node, deep + 1) if at is not None else None
        return None

    def _alive(self, source: Source, node: ast.expr) -> object:
        """What the function or module whose frame is still there would compute."""
        function = source.whole.function(node) if source.whole is not None else None
        for level in self._levels:
            if level.live is not None and level.source is source and level.function is function:
                try:
                    return Evaluator(level.live)(node)
                except Unknown:
                    return None
        return None


def _applied(function: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    if one is None or other is None or max(abs(one), abs(other)) > LARGEST:
        return None
    try:
        return function(one, other)
    except ZeroDivisionError:
        return None
