"""Source code: the loss of the policy teaches the critic as well."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.autograd._shared import names_with_grad
from keng.rules import finds
from keng.source import Code

LOG_PROBABILITIES = re.compile(
    r"(?:^|_)(?:log_?p(?:rob(?:abilitie)?s?|i|s)?|ratios?)(?:$|_)", re.IGNORECASE
)
REGRESSIONS = [
    f"torch.nn.{name}"
    for name in (
        *("MSELoss", "SmoothL1Loss", "HuberLoss", "L1Loss"),
        *(f"functional.{name}_loss" for name in ("mse", "smooth_l1", "huber", "l1")),
    )
]


@finds(fixes=True)
def critic_hears_the_policy(code: Code) -> Hits:
    for advantage, value in _advantages_with_graph(code):
        text = code.text_of(advantage)
        says = say("keeps-graph-so-policy", value=text, value_2=value)
        fix = Fix(say("take-advantage-given"), (code.edits.append(advantage, ".detach()"),))
        yield code.hit(advantage, says, fix)


def _advantages_with_graph(code: Code) -> Iterator[tuple[ast.expr, str]]:
    """Advantages that weigh log-probabilities and keep the graph of the values that they were made with,
    where the critic's loss is added to the policy's: the advantage there, and the value."""
    if b"log_prob" not in code.tree.data and b"logp" not in code.tree.data:
        return
    for product in code.of(ast.BinOp):
        if not isinstance(product.op, ast.Mult):
            continue
        for weighed, by in ((product.left, product.right), (product.right, product.left)):
            if _is_log_probability(code, weighed):
                values = [v for v in _values_in(code, by) if _taught_beside(code, v, by, product)]
                yield from ((by, value.id) for value in values[:1])


def _is_log_probability(code: Code, node: ast.expr) -> bool:
    while isinstance(node, (ast.UnaryOp, ast.Subscript)):
        node = node.operand if isinstance(node, ast.UnaryOp) else node.value
    match node:
        case ast.Call(func=ast.Attribute(attr=name, value=inner)):
            return name == "log_prob" or _is_log_probability(code, inner)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return LOG_PROBABILITIES.search(name) is not None
    return False


def _values_in(code: Code, advantage: ast.expr, depth: int = 4) -> Iterator[ast.Name]:
    """The names that are taken from something in an advantage, with their graphs."""
    for node in ast.walk(advantage) if depth else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            for name in names_with_grad(code, node.right):
                if name in set(names_with_grad(code, advantage)):
                    yield name
    for name in names_with_grad(code, advantage) if depth else ():
        made = code.flow.assigned_value(name)
        if made is not None:
            yield from _values_in(code, made, depth - 1)


def _taught_beside(code: Code, value: ast.Name, advantage: ast.expr, product: ast.BinOp) -> bool:
    """Whether a loss of the critic, which learns this value, is summed with that of the policy."""
    policy = _stored_as(code, product)
    for given in _regressed(code):
        for name in names_with_grad(code, given):
            same = [n for n in (value, advantage) if isinstance(n, ast.Name)]
            if any(code.graph.same_value(name, each) for each in same):
                critic = _stored_as(code, given)
                if code.statement(given) is code.statement(product) or _summed(
                    code, policy, critic
                ):
                    return True
    return False


def _regressed(code: Code) -> Iterator[ast.expr]:
    """What is squared, or given to a loss of regression."""
    for node in code.of(ast.BinOp):
        if isinstance(node.op, ast.Pow):
            yield node.left
    for call in code.calls.method_calls("pow", "square"):
        yield code.tree.receiver(call)
    for call in code.graph.loss_calls(*REGRESSIONS):
        yield from call.args


def _stored_as(code: Code, node: ast.AST) -> str:
    match code.statement(node):
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _summed(code: Code, policy: str, critic: str) -> bool:
    return any(
        {policy, critic} <= {name.id for name in code.graph.summands(both)}
        for both in code.of(ast.BinOp)
        if isinstance(both.op, ast.Add)
    )
