"""A layer of Code: formulas, losses, logarithms, NaN."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.loops import LOSS_NAMES
from keng.source.registers import Registers
from keng.source.values import Kind
from keng.tables.torch_names import LOSSES

MAY_BE_LOSSES = (*LOSS_NAMES, "partial")
NANS = frozenset({"math.nan", "torch.nan", *(f"numpy.{name}" for name in ("nan", "NaN", "NAN"))})
NAN_NAMES = frozenset(name.rpartition(".")[2] for name in NANS)
COUNTS_OR_GROWS = frozenset(
    {"arange", "exp", "bincount", "count_nonzero", "floor", "ceil", "round", "trunc"}
)


class Formulas(Registers):
    def is_nan(self, node: ast.expr) -> bool:
        """Whether an expression is NaN as written: `float("nan")`, `math.nan`, `np.nan`, `torch.nan`."""
        if isinstance(node, ast.Call) and self.resolve(node.func) == "builtins.float":
            texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
            return len(texts) == 1 and str(texts[0]).lower().strip(" +-") == "nan"
        return self.may_be_named(node, NAN_NAMES) and self.resolve(node) in NANS

    def used_once(self, name: ast.Name) -> bool:
        """Whether this is the only place where a name is read."""
        scope = self.lookup(name)
        reads = [
            n
            for n in self._names_by_id.get(name.id, ())
            if isinstance(n.ctx, ast.Load) and self.lookup(n) is scope
        ]
        return len(reads) == 1

    def read_again(self, node: ast.expr) -> bool:
        """Whether what is under a name here is read once more: further down, or in the next round of a loop
        that does not bind it anew. What is no name is kept by another object."""
        if not isinstance(node, ast.Name):
            return True
        here, given = self.position(node), {id(b) for b in self.reaching(node)}
        loops = [n for n in self.ancestors(node) if isinstance(n, (ast.For, ast.While))]
        for other in self._names_by_id.get(node.id, ()):
            shared = [b for b in self.reaching(other) if id(b) in given]
            if other is node or not isinstance(other.ctx, ast.Load) or not shared:
                continue
            around = [loop for loop in loops if loop in self.ancestors(other)]
            anew = any(n in around for b in shared for n in (b.node, *self.ancestors(b.node)))
            if self.position(other) > here or (around and not anew):
                return True
        return False

    def torch_losses(self) -> Iterator[ast.Call]:
        """The calls of torch's loss functions, and of the constructors of its loss modules; of
        functools.partial on one of them too."""
        for call in self.calls_with(lambda last: last in LOSSES or last.endswith(MAY_BE_LOSSES)):
            dotted = self.resolve(call.func)
            if dotted == "functools.partial" and call.args:
                dotted = self.resolve(call.args[0])
            home, _, name = dotted.rpartition(".")
            function = home == "torch.nn.functional" and name.endswith(LOSS_NAMES)
            if function or (home == "torch.nn" and name in LOSSES):
                yield call

    def logarithms(self) -> Iterator[tuple[ast.Call, ast.expr]]:
        """The calls of `log` on tensors, and what the logarithm is taken of."""
        for call in self.calls_to("torch.log"):
            if call.args:
                yield call, call.args[0]
        for call in self.method_calls("log"):
            receiver = self.me.receiver(call)
            if not call.args and self.kind_of(receiver) is Kind.TENSOR:
                yield call, receiver

    def rounded_near_one(self) -> Iterator[tuple[ast.expr, str, ast.expr]]:
        """`log(1 + x)` and `exp(x) - 1` of tensors, the function that keeps a small `x`, and `x`; what
        counts things, and what grows (softplus by hand), is left out."""
        for call, given in self.logarithms():
            match given:
                case (
                    ast.BinOp(left=ast.Constant(value=1), op=ast.Add(), right=small)
                    | ast.BinOp(left=small, op=ast.Add(), right=ast.Constant(value=1))
                ) if self.value_of(small).dotted.rpartition(".")[2] not in COUNTS_OR_GROWS:
                    yield call, "log1p", small
        for difference in self.of(ast.BinOp):
            match difference:
                case ast.BinOp(
                    left=ast.Call(args=[small]) as power, op=ast.Sub(), right=ast.Constant(value=1)
                ) if self.resolve(power.func) == "torch.exp":
                    yield difference, "expm1", small

    def chosen_elsewhere(self, node: ast.AST) -> bool:
        """Whether torch.where takes another value in place of a node where a comparison says so."""
        call = self.around(node, ast.Call)
        asked = call is not None and self.resolve(call.func) == "torch.where"
        return asked and call is not None and isinstance(call.args[0], ast.Compare)

    def is_text(self, node: ast.expr, text: str) -> bool:
        return isinstance(node, ast.Constant) and node.value == text
