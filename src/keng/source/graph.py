"""Losses, what they are computed from, and the autograd graphs behind values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import cast

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.flow import Flow
from keng.source.loops import Act, Loop
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import Tree
from keng.source.types.infer import Types
from keng.source.types.kinds import Kind
from keng.source.types.origins import Origins

DETACHES = frozenset(["item", "detach", "tolist", "numpy", "cpu_", "float", "int"])
REDUCED = frozenset({"torch.Tensor.mean", "torch.Tensor.sum", "torch.mean", "torch.sum"})


class Graph:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)
        self.origins = trees.ask(Origins, tree)

    def of(self, tree: Tree) -> Graph:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Graph, tree)

    def loss_calls(self, *dotted: str) -> Iterator[ast.Call]:
        """Calls that compute one of these losses, as a function or through a criterion."""
        yield from self.calls.calls_to(
            *(name for name in dotted if name.startswith("torch.nn.functional."))
        )
        classes = [name for name in dotted if not name.startswith("torch.nn.functional.")]
        lasts = (name.rpartition(".")[2].encode() for name in classes)
        if any(self.trees.files.contains(last, self.tree.path) for last in lasts):
            yield from (call for call, name in self._criterion_calls if name in classes)

    @cached_property
    def _criterion_calls(self) -> list[tuple[ast.Call, str]]:
        """The calls of criteria with two arguments, and the dotted names of their classes."""
        two = [
            call for call in self.tree.nodes(ast.Call) if len(call.args) + len(call.keywords) == 2
        ]
        made = [(c, self.types.value_of(c.func)) for c in two if self._may_be_criterion(c.func)]
        return [(call, value.dotted) for call, value in made if value.kind is Kind.CRITERION]

    def _may_be_criterion(self, function: ast.expr) -> bool:
        """Whether a callee is an instance at all, told without asking for its kind."""
        if isinstance(function, ast.Attribute):
            return isinstance(function.value, ast.Name) and not self.names.resolve(function)
        return isinstance(function, (ast.Name, ast.Call)) and not self.names.resolve(function)

    def is_scalar(self, node: ast.expr) -> bool:
        """Whether a tensor is known to have no dimensions: a loss that is reduced, or a full sum or
        mean; a product with a number stays one."""
        if isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            return any(self.is_scalar(s) for s in sides) and all(
                self.is_scalar(s) or self.types.kind_of(s) is Kind.NUMBER for s in sides
            )
        if isinstance(node, ast.Name):
            if self._goes_backward(node):
                return True
            if any(b.how != "assign" for b in self.flow.reaching_definitions(node)):
                return False  # no call is known to have made it
        origins = self.origins.origins(node)
        return bool(origins) and all(self._reduced(o.dotted, o.call) for o in origins)

    def _goes_backward(self, name: ast.Name) -> bool:
        """Whether `backward()` is called on a value, without a gradient: it holds a single number."""
        return any(
            isinstance(lost := self.tree.receiver(call), ast.Name)
            and not (call.args or any(k.arg == "gradient" for k in call.keywords))
            and self.same_value(lost, name)
            for call in self.calls.method_calls("backward")
        )

    def _reduced(self, dotted: str, call: ast.Call | None) -> bool:
        if call is None:
            return False
        if dotted in REDUCED:
            given = len(call.args) + len(call.keywords)
            return given == (
                0 if isinstance(call.func, ast.Attribute) and "Tensor" in dotted else 1
            )
        home, _, name = dotted.rpartition(".")
        loss = name.endswith(("Loss", "_loss", "cross_entropy", "kl_div", "logits"))
        if home not in ("torch.nn", "torch.nn.functional") or not loss:
            return False
        maker = self.types.value_of(call.func).call or call
        choices = [k for c in {call, maker} for k in c.keywords if k.arg in ("reduction", "reduce")]
        return all(
            isinstance(k.value, ast.Constant) and k.value.value not in ("none", False)
            for k in choices
        )

    def losses(self, loop: Loop) -> list[ast.Name]:
        """The names that `backward` is called on in a loop, in this file, whether as
        `loss.backward()`, `scaler.scale(loss).backward()`, `(loss / n).backward()` or
        `accelerator.backward(loss)`."""
        found: list[ast.Name] = []
        for step in loop.all(Act.BACKWARD):
            if step.tree is self.tree and isinstance(step.call, ast.Call):
                found += self.backward_losses(step.call)
        return found

    def backward_losses(self, call: ast.Call) -> list[ast.Name]:
        """The names of losses in one call of backward."""
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        if call.args and (receiver is None or self.types.kind_of(receiver) is not Kind.TENSOR):
            receiver = call.args[0] if not isinstance(receiver, ast.Call) else receiver
        while isinstance(receiver, ast.Call):
            receiver = receiver.args[0] if receiver.args else getattr(receiver.func, "value", None)
        return list(self.summands(receiver)) if receiver is not None else []

    def summands(self, node: ast.expr) -> Iterator[ast.Name]:
        """The names that enter a sum or product, without the numbers that they are weighed with."""
        if isinstance(node, ast.Name):
            yield node
        elif isinstance(node, ast.Attribute) and self.is_output_loss(node):
            yield cast(ast.Name, node.value)
        elif isinstance(node, ast.BinOp):
            summed = isinstance(node.op, (ast.Add, ast.Sub))
            for side in (node.left, node.right):
                if summed or not isinstance(side, ast.Name) or not self._is_weight(side, node):
                    yield from self.summands(side)
        elif isinstance(node, ast.UnaryOp):
            yield from self.summands(node.operand)

    def _is_weight(self, factor: ast.Name, product: ast.BinOp) -> bool:
        """Whether a name in a product or quotient is not seen to be a tensor: what divides, a number, an
        argument, a name from elsewhere."""
        kind = self.types.kind_of(factor)
        if kind is not Kind.UNKNOWN:
            return kind is not Kind.TENSOR
        divides = factor is product.right and not isinstance(product.op, ast.Mult)
        return divides or any(
            not isinstance(b.value, ast.Call) for b in self.flow.reaching_definitions(factor)
        )

    def is_output_loss(self, node: ast.AST | None) -> bool:
        """`output.loss`, as the models of Transformers give it."""
        match node:
            case ast.Attribute(attr="loss", value=ast.Name() as holder):
                return self.classes.self_class(holder) is None
        return False

    def same_value(self, one: ast.Name, other: ast.Name) -> bool:
        """Whether two uses of a name read the same assignment."""
        if one.id != other.id:
            return False
        first, second = (
            {id(b.node) for b in self.flow.reaching_definitions(n)} for n in (one, other)
        )
        return bool(first) and first == second

    def makes_leaf_with_grad(self, node: ast.expr) -> bool:
        """Whether a call makes a leaf that gathers gradients: a Parameter, or `requires_grad=True`."""
        if not isinstance(node, ast.Call):
            return False
        if self.names.resolve(node.func) == "torch.nn.Parameter":
            return True
        if isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
            return not node.keywords and all(map(self.flow.is_true, node.args))
        return self.names.resolve(node.func).startswith("torch.") and self.asks_for_gradients(node)

    def asks_for_gradients(self, call: ast.Call) -> bool:
        """Whether a call is given `requires_grad=True`."""
        given = [k.value for k in call.keywords if k.arg == "requires_grad"]
        return any(self.flow.is_true(value) for value in given)

    def in_forward(self, node: ast.AST) -> bool:
        function = self.tree.enclosing_function(node)
        named = function is not None and function.name == "forward"
        return named and self.types.enclosing_module(node) is not None
