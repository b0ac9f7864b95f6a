"""A layer of Code: losses, the graphs behind them, and what keeps those alive."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from keng.source.index import LOOPS, part_at
from keng.source.loops import Act, Loop, Loops
from keng.source.values import Kind

DETACHES = frozenset(["item", "detach", "tolist", "numpy", "cpu_", "float", "int"])
REDUCED = frozenset({"torch.Tensor.mean", "torch.Tensor.sum", "torch.mean", "torch.sum"})
DETACHING_CALLS = frozenset({"builtins.float", "builtins.int", "builtins.len", "builtins.str"})


class Graphs(Loops):
    def is_scalar(self, node: ast.expr) -> bool:
        """Whether a tensor is known to have no dimensions: a loss that is reduced, or a full sum or
        mean; a product with a number stays one."""
        if isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            return any(self.is_scalar(s) for s in sides) and all(
                self.is_scalar(s) or self.kind_of(s) is Kind.NUMBER for s in sides
            )
        if isinstance(node, ast.Name) and self._goes_backward(node):
            return True
        origins = self.origins(node)
        return bool(origins) and all(self._reduced(o.dotted, o.call) for o in origins)

    def _goes_backward(self, name: ast.Name) -> bool:
        """Whether `backward()` is called on a value, without a gradient: it holds a single number."""
        return any(
            isinstance(lost := self.me.receiver(call), ast.Name)
            and not (call.args or any(k.arg == "gradient" for k in call.keywords))
            and self.same_value(lost, name)
            for call in self.me.method_calls("backward")
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
        maker = self.value_of(call.func).call or call
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
            if step.code is self.me and isinstance(step.call, ast.Call):
                found += self.lost(step.call)
        return found

    def lost(self, call: ast.Call) -> list[ast.Name]:
        """The names of losses in one call of backward."""
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        if call.args and (receiver is None or self.kind_of(receiver) is not Kind.TENSOR):
            receiver = call.args[0] if not isinstance(receiver, ast.Call) else receiver
        while isinstance(receiver, ast.Call):
            receiver = receiver.args[0] if receiver.args else getattr(receiver.func, "value", None)
        return list(self.terms(receiver)) if receiver is not None else []

    def terms(self, node: ast.expr) -> Iterator[ast.Name]:
        """The names that enter a sum or product, without the numbers that they are weighed with."""
        if isinstance(node, ast.Name):
            yield node
        elif isinstance(node, ast.Attribute) and self._is_output_loss(node):
            yield cast(ast.Name, node.value)
        elif isinstance(node, ast.BinOp):
            summed = isinstance(node.op, (ast.Add, ast.Sub))
            for side in (node.left, node.right):
                if summed or not isinstance(side, ast.Name) or not self._is_weight(side, node):
                    yield from self.terms(side)
        elif isinstance(node, ast.UnaryOp):
            yield from self.terms(node.operand)

    def _is_weight(self, factor: ast.Name, product: ast.BinOp) -> bool:
        """Whether a name in a product or quotient is not seen to be a tensor: what divides, a number, an
        argument, a name from elsewhere."""
        kind = self.kind_of(factor)
        if kind is not Kind.UNKNOWN:
            return kind is not Kind.TENSOR
        divides = factor is product.right and not isinstance(product.op, ast.Mult)
        return divides or any(not isinstance(b.value, ast.Call) for b in self.reaching(factor))

    def _is_output_loss(self, node: ast.AST | None) -> bool:
        """`output.loss`, as the models of Transformers give it."""
        match node:
            case ast.Attribute(attr="loss", value=ast.Name() as holder):
                return self.self_class(holder) is None
        return False

    def read_as(self, name: ast.Name) -> ast.expr:
        """What of a name is read where it stands: its `.loss`, or the thing itself."""
        above = self.parent.get(name)
        return cast(ast.expr, above) if self._is_output_loss(above) else name

    def same_loss(self, one: ast.Name, other: ast.Name) -> bool:
        """Whether two uses of a name read the same loss."""
        alike = type(self.read_as(one)) is type(self.read_as(other))
        return alike and self.same_value(one, other)

    def parts(self, loss: ast.Name) -> list[ast.Name]:
        """A loss and the terms that it was summed from."""
        found = [loss]
        for binding in self.reaching(loss):
            if (
                binding.how == "assign"
                and not binding.path
                and isinstance(binding.value, ast.BinOp)
            ):
                found += self.terms(binding.value)
        return found

    def same_value(self, one: ast.Name, other: ast.Name) -> bool:
        """Whether two uses of a name read the same assignment."""
        if one.id != other.id:
            return False
        first, second = ({id(b.node) for b in self.reaching(n)} for n in (one, other))
        return bool(first) and first == second

    def attached(self, node: ast.expr) -> Iterator[ast.Name]:
        """The names in an expression whose graph the result keeps: those under no `.item()`,
        `.detach()`, `float()` and the like."""
        for name in [n for n in ast.walk(node) if isinstance(n, ast.Name)]:
            if not self._detached(name, node):
                yield name

    def _detached(self, name: ast.Name, top: ast.expr) -> bool:
        child: ast.AST = name
        for above in self.ancestors(name) if name is not top else ():
            if isinstance(above, ast.Attribute) and above.attr in DETACHES | {"data", "shape"}:
                return True
            given = isinstance(above, ast.Call) and child is not above.func
            if given and not self._differentiable(cast(ast.Call, above)):
                return True
            if isinstance(above, (ast.Subscript, ast.Compare, ast.JoinedStr, ast.Lambda)):
                return True
            if above is top:
                break
            child = above
        return False

    def _differentiable(self, call: ast.Call) -> bool:
        """Whether what a call gives is known to keep the graph of its arguments."""
        return self.kind_of(call) is Kind.TENSOR and self.resolve(call.func) not in DETACHING_CALLS

    def renewed_in(self, name: ast.expr, loop: Loop) -> bool:
        """Whether a name or attribute is set anew in each round of a loop, or shrinks in it."""
        text = ast.unparse(name)
        for node in self.below(loop.node, ast.Call, ast.Assign):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="clear" | "pop" | "popleft" | "zero_", value=holder)
                ):
                    if ast.unparse(holder) == text:
                        return True
                case ast.Assign(targets=targets, value=value) if text in map(ast.unparse, targets):
                    now_and_then = self.around(node, ast.If, *LOOPS) is not loop.node
                    if not mentions(value, text) and not now_and_then:
                        return True
        return False

    def bounded(self, node: ast.expr) -> bool:
        """Whether a container is a deque that keeps only so many."""
        return any(
            isinstance(made, ast.Call)
            and self.resolve(made.func) == "collections.deque"
            and self.argument(made, "maxlen", 1) is not None
            for made in self._made_as(node)
        )

    def _made_as(self, node: ast.expr) -> Iterator[ast.expr | None]:
        """What a name, or an attribute of `self`, is set to."""
        given = (
            [(b.value, b.path) for b in self.reaching(node)] if isinstance(node, ast.Name) else []
        )
        if isinstance(node, ast.Attribute) and (owner := self.self_class(node.value)) is not None:
            given = self.attributes(owner).get(node.attr, [])
        yield from (part_at(*each) for each in given)


def mentions(node: ast.expr, text: str) -> bool:
    """Whether an expression holds another, given as text."""
    return any(isinstance(n, ast.expr) and ast.unparse(n) == text for n in ast.walk(node))
