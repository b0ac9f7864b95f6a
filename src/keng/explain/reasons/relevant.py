"""Selects the lines of the user's that explain an error: those with a value that the answer names.

A number or word counts if the message, the diagnosis or the reason has it. Small numbers are everywhere: they
count only with the name of the parameter. What a named operand was assigned counts as well.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.explain.reasons.levels import Level, of_traceback
from keng.explain.reasons.source import Source, Sources
from keng.explain.reasons.written import Step, Written
from keng.model import Reason, WrittenAt

MOST = 3
SMALL = 3
"""Numbers below it are not looked for."""
MOST_ALIKE = 2
"""A number that more lines have tells nothing."""
NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?![\w.]*\w)")
WORD = re.compile(r"['\"]([\w.+-]{2,40})['\"]")
NAMED = re.compile(r"`([A-Za-z_]\w{0,40})`")
SHAPED = re.compile(r"Tensor |ndarray |Parameter ")
"""Values that are tensors, whose other sizes tell nothing."""
ROUND = ("int", "len", "max", "min", "round", "sum", "range", "float")
BARE = (ast.Name, ast.Attribute, ast.Subscript)


def written_for(
    raised: BaseException, message: str, says: str, reason: Reason | None
) -> tuple[WrittenAt, ...]:
    """The lines of the user's that gave the failing call the values that an answer names, at most three.
    Never raises."""
    try:
        sources = Sources()
        levels = of_traceback(raised.__traceback__, sources)
        return tuple(_chosen(levels, _Named(message, says, reason)))[:MOST]
    except Exception:
        return ()


class _Named:
    """What an answer names: numbers, words, and names of operands and parameters."""

    def __init__(self, message: str, says: str, reason: Reason | None) -> None:
        values = reason.values if reason is not None else ()
        fact = says.partition(". ")[0]  # a number of the advice is not the user's
        text = f"{message}\n{fact}\n" + "\n".join(
            each.value for each in values if not SHAPED.match(each.value)
        )
        self.numbers = {int(each) for each in NUMBER.findall(text)}
        self.words = {each for each in WORD.findall(text) if not each.isdigit()}
        self.parameters = {
            name
            for each in values
            for name in (each.name.rpartition(".")[2], each.parameter, *_passed(each.text))
            if name
        }
        self.operands = set(NAMED.findall(says))

    def has(self, step: Step) -> bool:
        value = _literal(step.node)
        if type(value) is int:
            return value in self.numbers and (value >= SMALL or step.name in self.parameters)
        if isinstance(value, str):
            return value in self.words
        if isinstance(value, float):
            return step.name in self.parameters
        if isinstance(value, tuple | list):
            return any(type(e) is int and e >= SMALL and e in self.numbers for e in value) or any(
                isinstance(e, str) and e in self.words for e in value
            )
        return False

    def names(self, step: Step) -> bool:
        """Where the answer has no number, how an operand was made is not what is at fault."""
        known = self.parameters | (self.operands if self.numbers else set())
        return step.name.rpartition(".")[2] in known


def _passed(text: str) -> tuple[str, ...]:
    """`T_0` and `updates` of `T_0=updates`."""
    parts = text.split("=")
    return tuple(part for part in parts if part.isidentifier())


def _chosen(levels: list[Level], named: _Named) -> Iterator[WrittenAt]:
    user = [level for level in levels if level.user and level.source is not None]
    sources: list[Source] = list({id(e.source): e.source for e in user if e.source}.values())
    level = user[-1] if user else None
    node = level.failing() if level is not None else None
    if level is None or level.source is None or node is None:
        return
    paths = list(Written(levels, sources).paths(level.source, node))
    found = [path for path in paths if named.has(path[-1])]
    steps = [path[-1] for path in found]
    found = [path for path in found if _is_telling(path[-1], steps)]
    found += [path for path in paths if _is_root(path, named)]
    yield from dict.fromkeys(each for path in found if (each := _shown(path)) is not None)


def _shown(path: tuple[Step, ...]) -> WrittenAt | None:
    """A step; of an argument without a name the call that it is in, if that was assigned."""
    for step in path[:-3:-1]:
        if step.name or step.text.startswith("return "):
            return WrittenAt(step.text.removeprefix("return "), step.where)
    return None


def _is_telling(step: Step, found: list[Step]) -> bool:
    """Whether few lines have that value."""
    value = repr(_literal(step.node))
    return len({e.where for e in found if repr(_literal(e.node)) == value}) <= MOST_ALIKE


def _is_root(path: tuple[Step, ...], named: _Named) -> bool:
    """Whether it is what a named parameter or operand was computed from."""
    *before, step = path
    if isinstance(step.node, BARE) or (isinstance(step.node, ast.Constant) and not before):
        return False
    start = next((n for n, each in enumerate(path) if named.names(each)), None)
    if start is None:
        return False
    between = path[start:-1]
    if all(isinstance(each.node, BARE) for each in between):
        return not isinstance(step.node, ast.Constant) or bool(between)
    counted = all(isinstance(each.node, BARE) or _is_counted(each.node) for each in between)
    return counted and type(_literal(step.node)) in (int, float)


def _is_counted(node: ast.expr) -> bool:
    """Whether an expression is arithmetic."""
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    return all(isinstance(each.func, ast.Name) and each.func.id in ROUND for each in calls)


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return _folded(node)


def _folded(node: ast.expr) -> object:
    """The product, sum or difference of whole numbers."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult | ast.Add | ast.Sub):
        return None
    one, other = _literal(node.left), _literal(node.right)
    if type(one) is not int or type(other) is not int or max(abs(one), abs(other)) > 10**9:
        return None
    if isinstance(node.op, ast.Mult):
        return one * other
    return one + other if isinstance(node.op, ast.Add) else one - other
