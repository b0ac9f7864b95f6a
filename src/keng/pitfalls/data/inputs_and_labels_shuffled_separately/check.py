"""Source code: inputs and their labels are put in two different random orders."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import Function

PERMUTATIONS = ("torch.randperm", "numpy.random.permutation")
SHUFFLES = ("random.shuffle", "numpy.random.shuffle")
PERMUTES = ("randperm", "permutation", "shuffle")
LABEL = re.compile(
    r"^(?:y|ys|[yY]_?(?:all|train|tr|data|batch|onehot|hot)|.*(?:label|target|onehot|one_hot)s?\d?)$",
    re.IGNORECASE,
)
SEEDS = re.compile(r"seed|set_state|set_rng_state|setstate")


@finds(mentions=PERMUTES)
def another_order(code: Code) -> Hits:
    for place, labels, others in _permuted_apart(code):
        says = say("put-two-random-orders", others=labels, others_2=others)
        yield code.hit(place, says)


def _permuted_apart(code: Code) -> Iterator[tuple[ast.expr, str, str]]:
    """Labels that are put in another random order than what they belong to: where, the labels, and the
    others."""
    if not any(map(code.calls.calls_named, PERMUTES)):
        return
    for found in (_taken_in_order(code), _ordered_by_functions(code), _shuffled(code)):
        orders = list(found)
        labels = [each for each in orders if _is_label(each[1])]
        others = [each for each in orders if not _is_label(each[1])]
        for place, text, order in labels:
            beside = [each for each in others if _is_beside(code, place, each[0])]
            if beside and not any(order is each[2] for each in beside):
                yield place, text, beside[0][1]


def _is_beside(code: Code, one: ast.expr, other: ast.expr) -> bool:
    """Whether two places stand in the same block of one function, with no seed set between them."""
    first, second = sorted((code.statement(one), code.statement(other)), key=code.tree.position)
    together = code.tree.parent.get(first) is code.tree.parent.get(second)
    _, behind = code.flow.siblings(first, code.tree.parent[first]) if together else ([], [])
    if first is second:
        return True
    between = [s for s in behind if code.tree.position(s) < code.tree.position(second)]
    return second in behind and not any(SEEDS.search(ast.unparse(s)) for s in between)


def _taken_in_order(code: Code) -> Iterator[tuple[ast.expr, str, ast.AST]]:
    """What is put in a random order under its own name, or mixed with itself so: the place, its name and
    the order."""
    for taken in code.of(ast.Subscript):
        order = _order_of(code, taken)
        if order is None or not isinstance(taken.value, ast.Name):
            continue
        if _replaces(code, taken) or _mixes(code, taken, taken.value.id):
            yield taken, taken.value.id, order


def _order_of(code: Code, taken: ast.Subscript) -> ast.Call | None:
    """The permutation in which the rows are taken."""
    places = taken.slice
    if isinstance(places, ast.Tuple) and places.elts:
        places = places.elts[0]
    made = code.flow.assigned_value(places) or places
    if not isinstance(made, ast.Call) or code.names.resolve(made.func) not in PERMUTATIONS:
        return None
    return None if any(keyword.arg == "generator" for keyword in made.keywords) else made


def _replaces(code: Code, taken: ast.expr) -> bool:
    """Whether what is taken becomes the value of its own name, alone or as one of several."""
    statement = code.statement(taken)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and taken in value.elts:
        at = value.elts.index(taken)
        target, value = target.elts[at] if at < len(target.elts) else target, taken
    own = taken.value if isinstance(taken, ast.Subscript) else taken
    return value is taken and ast.unparse(target) == ast.unparse(own)


def _mixes(code: Code, taken: ast.expr, name: str) -> bool:
    """Whether what is taken is added to what it was taken from, each with its weight."""
    summed = code.around(taken, ast.BinOp)
    while isinstance(summed, ast.BinOp) and not isinstance(summed.op, ast.Add):
        summed = code.around(summed, ast.BinOp)
    if summed is None or code.statement(summed) is not code.statement(taken):
        return False
    other = summed.left if code.within(taken, summed.right) else summed.right
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(other))


def _ordered_by_functions(code: Code) -> Iterator[tuple[ast.expr, str, ast.AST]]:
    """Arguments of functions of this file that put them in an order of their own."""
    for function in code.of(ast.FunctionDef):
        name = _reordered_argument(code, function)
        for tree, call in code.types.callers(function) if name else ():
            given = code.calls.of(tree).bound_argument(call, function, name)
            if tree is code.tree and isinstance(given, ast.Name):
                yield call, given.id, call


def _reordered_argument(code: Code, function: Function) -> str:
    """The argument of a function that it gives back in a random order of its own, or mixed with that."""
    arguments = {argument.arg for argument in code.tree.parameters(function)}
    given = code.tree.returns(function)
    if len(given) != 1 or SEEDS.search(code.text_of(function)):
        return ""
    value = code.flow.assigned_value(given[0]) or given[0]
    for taken in [n for n in ast.walk(value) if isinstance(n, ast.Subscript)]:
        order, own = _order_of(code, taken), taken.value
        if order is None or not isinstance(own, ast.Name) or own.id not in arguments:
            continue
        here = code.tree.enclosing_function(order) is function
        if here and (value is taken or _mixes(code, taken, own.id)):
            return own.id
    return ""


def _shuffled(code: Code) -> Iterator[tuple[ast.expr, str, ast.AST]]:
    """What is shuffled in place: the call, the name and the call, which is an order of its own."""
    for call in code.calls.calls_to(*SHUFFLES):
        if len(call.args) == 1 and isinstance(call.args[0], ast.Name):
            yield call, call.args[0].id, call


def _is_label(name: str) -> bool:
    return LABEL.match(name) is not None
