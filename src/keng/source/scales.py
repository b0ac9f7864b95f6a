"""A layer of Code: numbers that are read on the scale of others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Edit
from keng.source.halves import Halves
from keng.source.meanings import unconverted
from keng.source.names import Binding, Definition
from keng.source.values import Kind

PROBABLE = ("cross_entropy", "nll_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits")
LIKELIHOODS = frozenset(
    [
        *(f"torch.nn.functional.{name}" for name in PROBABLE),
        *(f"torch.nn.{name}" for name in ("CrossEntropyLoss", "NLLLoss", "BCELoss")),
        "torch.nn.BCEWithLogitsLoss",
    ]
)
"""Losses whose negative exponential is a probability, that of one sample for the loss of one."""
UNKNOWN_REDUCTION = {"reduce", "size_average", None}


TAKING_LOGITS = (
    "torch.nn.BCEWithLogitsLoss",
    "torch.nn.functional.binary_cross_entropy_with_logits",
)
ORDERED = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)
Model = Definition | ast.Call
"""The class of a model, or the call that made it of layers."""


class Scales(Halves):
    def halves_of_logits(self) -> Iterator[tuple[ast.Compare, ast.Constant]]:
        """Comparisons with 0.5 of what a model gives that is trained on logits: where, and the number."""
        losses = self.me.loss_calls(*TAKING_LOGITS)
        given = [each for call in losses if (each := self.argument(call, "input", 0)) is not None]
        trained = {model for each in given if (model := self.model_giving(each)) is not None}
        for compared in self.of(ast.Compare) if trained else ():
            half, ordered = compared.comparators[0], isinstance(compared.ops[0], ORDERED)
            if not isinstance(half, ast.Constant) or half.value != 0.5 or not ordered:
                continue
            if len(compared.ops) == 1 and self.model_giving(compared.left) in trained:
                yield compared, half

    def model_giving(self, node: ast.expr, depth: int = 6) -> Model | None:
        """The one model that a value is the output of as it came, views and devices apart, where nothing in
        it speaks of a sigmoid."""
        node = unconverted(node)
        match node:
            case ast.Name() if depth:
                found = self.reaching(node)
                models = {self._model_behind(binding, depth - 1) for binding in found}
                return models.pop() if len(models) == 1 else None
            case ast.Subscript(value=inner):
                return self.model_giving(inner, depth)
            case ast.Call() if self.kind_of(node.func) is Kind.MODULE:
                made = self.value_of(node.func)
                kept = made.definition or (made.call if made.call in self.parent else None)
                text = ""
                if isinstance(kept, Definition):
                    text = kept.code.text_of(kept.node)
                elif kept is not None:
                    text = self.text_of(kept)
                return kept if "igmoid" not in text else None
        return None

    def _model_behind(self, binding: Binding, depth: int) -> Model | None:
        if binding.how == "assign" and binding.value is not None and not binding.path:
            return self.model_giving(binding.value, depth)
        given = self.given_by_callers(binding.node)
        models = {
            code.me.model_giving(each, depth) if each is not None else None for code, each in given
        }
        return models.pop() if len(models) == 1 else None

    def focal_on_means(self) -> Iterator[tuple[ast.expr, ast.Name, ast.Call]]:
        """`(1 - exp(-ce)) ** gamma * ce` of a loss that is one number for the batch: the product, the loss
        in it, and the call that computes that."""
        for power, base in self._powers():
            loss = self._under_probability(base)
            product: ast.expr = power
            while self._multiplies(above := self.parent[product]):
                assert isinstance(above, ast.expr), "an operation is an expression"
                product = above
            names = [n for n in self.below(product, ast.Name) if not self.within(n, power)]
            same = [name for name in names if loss and self._one_number(name) is loss]
            yield from ((product, name, loss) for name in same[:1] if loss)

    def mean_at_the_end(
        self, product: ast.expr, name: ast.Name, loss: ast.Call
    ) -> tuple[Edit, ...]:
        """The edits that keep a loss for each sample until it is weighed; none where it is read elsewhere, or
        where its criterion is made elsewhere."""
        statement, kept = self.statement(product), self.statement(loss)
        whole = isinstance(statement, (ast.Return, ast.Assign)) and statement.value is product
        reads = [n for n in self._names_by_id[name.id] if isinstance(n.ctx, ast.Load)]
        inside = [n for n in reads if self.within(n, product) or self._is_raised(n)]
        here = self.resolve(loss.func) in LIKELIHOODS and kept is not statement
        if not whole or not here or len(inside) < len(reads):
            return ()
        given = [k.value for k in loss.keywords if k.arg == "reduction"]
        each = self.me.add_argument(loss, 'reduction="none"', "").edits
        edits = (self.me.replace(given[0], '"none"'),) if given else each
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        later = self._reads_of(target) if isinstance(target, ast.Name) else []
        if later and all(self._is_averaged(read) for read in later):
            return edits
        return (*edits, self.me.append(product, ".mean()"))

    def _under_probability(self, base: ast.expr) -> ast.Call | None:
        """The call of the loss in `1 - exp(-loss)`."""
        match base:
            case ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=given):
                raised = self._raised(self.assigned(given) or given)
                return self._one_number(raised) if raised is not None else None
        return None

    def _powers(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        """Powers, and what is raised in them."""
        for node in self.of(ast.BinOp):
            if isinstance(node.op, ast.Pow):
                yield node, node.left
        for call in self.calls_named("pow"):
            of_torch = self.resolve(call.func) == "torch.pow"
            if call.args:
                yield call, call.args[0] if of_torch else self.me.receiver(call)

    def _multiplies(self, node: ast.AST) -> bool:
        product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
        return product or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub))

    def _is_raised(self, name: ast.Name) -> bool:
        """Whether a name stands in the exponent of `exp` alone."""
        above = self.parent[name]
        above = self.parent[above] if isinstance(above, ast.UnaryOp) else above
        return isinstance(above, ast.Call) and self.written_name(above.func) == "exp"

    def _is_averaged(self, name: ast.Name) -> bool:
        above = self.parent[name]
        return isinstance(above, ast.Attribute) and above.attr in ("mean", "sum")

    def _one_number(self, node: ast.expr) -> ast.Call | None:
        """The call of a loss of torch that gives a value, or its opposite, as one number for a batch."""
        while isinstance(node, (ast.UnaryOp, ast.Name)):
            made = node.operand if isinstance(node, ast.UnaryOp) else self.assigned(node)
            if made is None:
                return None
            node = made
        if not isinstance(node, ast.Call) or not self._is_for_batch(node):
            return None
        criterion = self.value_of(node.func)
        maker = criterion.call if criterion.kind is Kind.CRITERION else node
        known = self.resolve(node.func) in LIKELIHOODS or criterion.dotted in LIKELIHOODS
        if maker is None or not known or {k.arg for k in maker.keywords} & UNKNOWN_REDUCTION:
            return None
        how = self.argument(maker, "reduction")
        summed = isinstance(how, ast.Constant) and how.value in ("mean", "sum")
        return node if how is None or summed else None

    def _is_for_batch(self, loss: ast.Call) -> bool:
        """Whether nothing tells that a loss is one of a single sample."""
        given = self.argument(loss, "input", 0)
        one = isinstance(given, ast.Name) and any(b.how == "for" for b in self.reaching(given))
        return given is not None and not one and not isinstance(given, ast.Subscript)
