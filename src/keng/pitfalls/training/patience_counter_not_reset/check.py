"""Source code: a patience counter is not reset when the metric improves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import LOOPS

COUNTERS = frozenset(
    """
    patience wait waited counter count bad improve improved improvement improving worse stall stop trigger
    """.split()
)
STOPS = re.compile(r"stop\w* = True", re.IGNORECASE)


@finds
def counted_in_all(code: Code) -> Hits:
    for added, name, best in _counters_never_reset(code):
        yield code.hit(added, say("never-reset", name=name, best=best))


def _counters_never_reset(code: Code) -> Iterator[tuple[ast.AugAssign, str, str]]:
    """`counter += 1` where a measure is no better than the best, which ends a training, and nothing sets
    it back: the statement, the counter and what is the best."""
    for added in code.of(ast.AugAssign):
        test, text = code.around(added, ast.If), ast.unparse(added.target)
        words = set(re.split(r"[^a-z]+", text.lower()))
        if test is None or not words & COUNTERS or not code.flow.is_constant(added.value, 1):
            continue
        block = _rounds_of(code, added)
        better = test.body if code.flow.field_of(added, test) == "orelse" else test.orelse
        best = _kept_by(code, better, test.test)
        if block is None or not best or not _ends_by(code, block, text):
            continue
        if all(code.statement(n) is added for n in _stores_of(code, added.target, block)):
            yield added, text, best


def _rounds_of(code: Code, added: ast.AugAssign) -> ast.AST | None:
    """The outermost loop of its function that a name is counted in, or the class of an attribute."""
    if isinstance(added.target, ast.Attribute):
        return code.classes.self_class(added.target.value)
    loops = [a for a in code.tree.ancestors(added) if isinstance(a, LOOPS)]
    inside = [
        n for n in loops if code.tree.enclosing_function(n) is code.tree.enclosing_function(added)
    ]
    return inside[-1] if inside and isinstance(added.target, ast.Name) else None


def _kept_by(code: Code, arm: list[ast.stmt], test: ast.expr) -> str:
    """What the arm of a test gives the value that it was compared with."""
    sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
    texts = {ast.unparse(side) for side in sides}
    for each in arm:
        if isinstance(each, ast.Assign) and ast.unparse(each.value) in texts:
            kept = ast.unparse(each.targets[0])
            if kept in texts:
                return kept
    return ""


def _ends_by(code: Code, block: ast.AST, text: str) -> bool:
    """Whether something is left, or told to stop, where a counter has come to a number."""
    for test in code.below(block, ast.If):
        asked = test.test
        if isinstance(asked, ast.Compare) and text in map(
            ast.unparse, (asked.left, *asked.comparators)
        ):
            inside = code.below(test, ast.Break, ast.Return, ast.Assign)
            if any(not isinstance(n, ast.Assign) or STOPS.search(ast.unparse(n)) for n in inside):
                return True
    return False


def _stores_of(code: Code, target: ast.expr, block: ast.AST) -> list[ast.AST]:
    """Where a name is given a value in a loop, or an attribute in a class outside of its constructor."""
    same = [n for n in code.below(block, type(target)) if ast.unparse(n) == ast.unparse(target)]
    stored = [n for n in same if isinstance(getattr(n, "ctx", None), ast.Store)]
    around = [(n, code.tree.enclosing_function(n)) for n in stored]
    made = isinstance(block, ast.ClassDef)
    return [n for n, f in around if not (made and f is not None and f.name == "__init__")]
