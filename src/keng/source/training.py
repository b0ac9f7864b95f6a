"""A layer of Code: what the rounds of a training loop do to optimizers and running totals."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.formulas import Formulas
from keng.source.loops import Act, Loop
from keng.source.values import Kind

CARRYING = frozenset(
    ["AdamW", "Adam", "NAdam", "RAdam", "Adamax", "SparseAdam", "ASGD", "Rprop", "Muon"]
)
"""Optimizers of torch.optim that move a parameter on while its gradient is zero, at their defaults."""
OPTIMIZER_OPTIONS = ("weight_decay", "momentum")


class Training(Formulas):
    def kept_values(self, loop: Loop) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
        """Where a loop adds to something that stays: `total += value`, `total = total + value`,
        `kept.append(value)`. The node to name, what holds it, and the value."""
        for node in self.below(loop.node, ast.AugAssign, ast.Assign, ast.Call):
            match node:
                case ast.AugAssign(op=ast.Add()):
                    yield node, node.target, node.value
                case ast.Assign(
                    targets=[target], value=ast.BinOp(op=ast.Add(), left=left, right=right)
                ):
                    if ast.unparse(target) == ast.unparse(left):
                        yield node, target, right
                case ast.Call(func=ast.Attribute(attr="append", value=holder), args=[value]):
                    if isinstance(self.parent[node], ast.Expr):
                        yield node, holder, value

    def cleared_around(self, loop: Loop) -> bool:
        """Whether a loop around this one clears gradients, and this one goes over something else
        than a loader, so that one clearing for all its rounds may be meant."""
        outer = [o for o in self.loops if o is not loop and self.within(loop.node, o.node)]
        return not loop.over_loader and any(
            o.has(Act.ZERO_GRAD) or o.has(Act.OPAQUE) for o in outer
        )

    def optimizer_is_new(self, loop: Loop) -> bool:
        """Whether each round of a loop makes its own optimizer."""
        return any(
            self.kind_of(call) is Kind.OPTIMIZER
            for call in self.below(loop.node, ast.Call)
            if self.resolve(call.func).startswith("torch.optim.")
        )

    def freezes_while_training(self, node: ast.AST) -> bool:
        """Whether a loop around a node turns `requires_grad` off for good, never on again."""
        loops = [loop for loop in self.loops if self.within(node, loop.node)]
        switches = [s for loop in loops for s in self._grad_switches(loop.node)]
        return bool(switches) and not any(switches)

    def _grad_switches(self, scope: ast.AST) -> Iterator[bool]:
        """The values that `requires_grad` is set to below a node; an unknown one counts as on."""
        for node in self.below(scope, ast.Call, ast.Assign):
            match node:
                case ast.Call(func=ast.Attribute(attr="requires_grad_"), args=args):
                    yield not args or not self.is_constant(args[0], False)
                case ast.Assign(targets=[ast.Attribute(attr="requires_grad")], value=value):
                    yield not self.is_constant(value, False)

    def is_constant(self, node: ast.AST | None, value: object) -> bool:
        return isinstance(node, ast.Constant) and node.value is value

    def carries_on(self, optimizer: ast.expr) -> bool:
        """Whether an optimizer is known to move parameters whose gradient is zero: by its own
        running averages, by momentum or by weight decay."""
        maker = self.value_of(optimizer)
        if maker.call is None or maker.kind is not Kind.OPTIMIZER:
            return False
        if maker.dotted.rpartition(".")[2] in CARRYING:
            return True
        given = [k.value for k in maker.call.keywords if k.arg in OPTIMIZER_OPTIONS]
        return any(isinstance(v, ast.Constant) and bool(v.value) for v in given)
