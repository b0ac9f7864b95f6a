"""A layer of Code: policies and critics, and what one may not teach the other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.padding import Padding

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


class Policies(Padding):
    def advantages_with_graph(self) -> Iterator[tuple[ast.expr, str]]:
        """Advantages that weigh log-probabilities and keep the graph of the values that they were made with,
        where the critic's loss is added to the policy's: the advantage there, and the value."""
        if b"log_prob" not in self.data and b"logp" not in self.data:
            return
        for product in self.of(ast.BinOp):
            if not isinstance(product.op, ast.Mult):
                continue
            for weighed, by in ((product.left, product.right), (product.right, product.left)):
                if self._is_log_probability(weighed):
                    values = [v for v in self._values_in(by) if self._taught_beside(v, by, product)]
                    yield from ((by, value.id) for value in values[:1])

    def _is_log_probability(self, node: ast.expr) -> bool:
        while isinstance(node, (ast.UnaryOp, ast.Subscript)):
            node = node.operand if isinstance(node, ast.UnaryOp) else node.value
        match node:
            case ast.Call(func=ast.Attribute(attr=name, value=inner)):
                return name == "log_prob" or self._is_log_probability(inner)
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return LOG_PROBABILITIES.search(name) is not None
        return False

    def _values_in(self, advantage: ast.expr, depth: int = 4) -> Iterator[ast.Name]:
        """The names that are taken from something in an advantage, with their graphs."""
        for node in ast.walk(advantage) if depth else ():
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
                for name in self.attached(node.right):
                    if name in set(self.attached(advantage)):
                        yield name
        for name in self.attached(advantage) if depth else ():
            made = self.assigned(name)
            if made is not None:
                yield from self._values_in(made, depth - 1)

    def _taught_beside(self, value: ast.Name, advantage: ast.expr, product: ast.BinOp) -> bool:
        """Whether a loss of the critic, which learns this value, is summed with that of the policy."""
        policy = self._stored_as(product)
        for given in self._regressed():
            for name in self.attached(given):
                same = [n for n in (value, advantage) if isinstance(n, ast.Name)]
                if any(self.same_value(name, each) for each in same):
                    critic = self._stored_as(given)
                    if self.statement(given) is self.statement(product) or self._summed(
                        policy, critic
                    ):
                        return True
        return False

    def _regressed(self) -> Iterator[ast.expr]:
        """What is squared, or given to a loss of regression."""
        for node in self.of(ast.BinOp):
            if isinstance(node.op, ast.Pow):
                yield node.left
        for call in self.method_calls("pow", "square"):
            yield self.me.receiver(call)
        for call in self.me.loss_calls(*REGRESSIONS):
            yield from call.args

    def _stored_as(self, node: ast.AST) -> str:
        match self.statement(node):
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name
        return ""

    def _summed(self, policy: str, critic: str) -> bool:
        return any(
            {policy, critic} <= {name.id for name in self.terms(both)}
            for both in self.of(ast.BinOp)
            if isinstance(both.op, ast.Add)
        )
