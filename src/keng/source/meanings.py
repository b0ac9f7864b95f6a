"""A layer of Code: outputs of a model and labels of a batch, and what they are taken for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.augmenting import Augmenting
from keng.source.slips import OF_SCORES
from keng.source.values import Kind

ONE_SIDED = [
    *OF_SCORES,
    *("torch.nn.BCELoss", "torch.nn.functional.binary_cross_entropy"),
    *("torch.nn.KLDivLoss", "torch.nn.functional.kl_div"),
]
CHOOSES = ("argmax", "max")
KEEPS = frozenset(
    "to cuda cpu float long int double squeeze unsqueeze view reshape flatten".split()
)
"""Methods that leave a label a label and an output an output."""


class Meanings(Augmenting):
    def losses_turned_round(self) -> Iterator[tuple[ast.Call, ast.expr, ast.expr]]:
        """Losses whose first argument is a label of a batch and whose second the output of a model for it:
        the call, that output and the model."""
        for call in self.me.loss_calls(*ONE_SIDED):
            first, second = self.argument(call, "input", 0), self.argument(call, "target", 1)
            if first is None or second is None or not self._is_label(first):
                continue
            model = self._output_for_batch(second)
            if model is not None:
                yield call, second, model

    def chosen_over_samples(self) -> Iterator[tuple[ast.Call, ast.expr]]:
        """`output.argmax(0)` or `torch.max(output, 0)` of a model's output for a batch, compared with the
        labels of that batch: the call, and the output."""
        for compared in self._compared_pairs() if any(map(self.calls_named, CHOOSES)) else ():
            for chosen, label in (compared, compared[::-1]):
                call = self._choice(chosen)
                if call is None or not self._is_label(label):
                    continue
                method = not self.resolve(call.func) and isinstance(call.func, ast.Attribute)
                output = self.me.receiver(call) if method else self.argument(call, "input", 0)
                dim = self.argument(call, "dim", 0 if method else 1)
                if self.me.number(dim) != 0 or output is None:
                    continue
                if self._output_for_batch(output) is not None:
                    yield call, output

    def _compared_pairs(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        for compared in self.of(ast.Compare):
            if isinstance(compared.ops[0], (ast.Eq, ast.NotEq)) and len(compared.ops) == 1:
                yield compared.left, compared.comparators[0]
        for call in self.method_calls("eq"):
            if call.args:
                yield self.me.receiver(call), call.args[0]
        for call in self.calls_to("torch.eq"):
            if len(call.args) == 2:
                yield call.args[0], call.args[1]

    def _choice(self, node: ast.expr) -> ast.Call | None:
        """The call of `argmax` or `max` that chose what an expression is."""
        path: tuple[int, ...] = ()
        if isinstance(node, ast.Name):
            found = self.reaching(node)
            if len(found) != 1 or found[0].how != "assign" or found[0].value is None:
                return None
            node, path = found[0].value, found[0].path
        node = unconverted(node)
        if isinstance(node, ast.Attribute) and node.attr == "indices":
            node, path = node.value, (1,)
        if isinstance(node, ast.Subscript) and self.me.number(node.slice) == 1:
            node, path = node.value, (1,)
        if not isinstance(node, ast.Call) or self.resolve(node.func) == "builtins.max":
            return None
        return (
            node if {"argmax": (), "max": (1,)}.get(self.written_name(node.func)) == path else None
        )

    def _part_of_batch(self, node: ast.expr, depth: int = 6) -> int | None:
        """Which of the two parts of a batch of a loader a value is."""
        node = unconverted(node)
        found = self.reaching(node) if isinstance(node, ast.Name) and depth else []
        binding = found[0] if len(found) == 1 else None
        if binding is None or binding.value is None or not binding.path:
            whole = binding.value if binding is not None and binding.how == "assign" else None
            return self._part_of_batch(whole, depth - 1) if whole is not None else None
        if binding.how == "assign" and isinstance(binding.value, ast.Tuple):
            return self._part_of_batch(binding.value.elts[binding.path[0]], depth - 1)
        taken = binding.how == "for" or self._is_whole_batch(binding.value)
        if not taken or (
            binding.how == "for" and not self._gives_batches(binding.value, binding.path[:-1])
        ):
            return None
        both = self.parent[binding.node]
        return binding.path[-1] if isinstance(both, ast.Tuple) and len(both.elts) == 2 else None

    def _is_whole_batch(self, node: ast.expr) -> bool:
        found = self.reaching(node) if isinstance(node, ast.Name) else []
        return (
            len(found) == 1
            and found[0].how == "for"
            and self._gives_batches(found[0].value, found[0].path)
        )

    def _gives_batches(self, through: ast.expr | None, path: tuple[int, ...]) -> bool:
        """Whether a loop goes through a loader and has the batch at this place of what it gets."""
        counted = False
        while (
            isinstance(through, ast.Call)
            and self.kind_of(through) is not Kind.LOADER
            and through.args
        ):
            name = self.written_name(through.func)
            if name == "zip":
                return False
            counted, through = counted or name == "enumerate", through.args[0]
        return self.kind_of(through) is Kind.LOADER and path == ((1,) if counted else ())

    def _is_label(self, node: ast.expr) -> bool:
        return self._part_of_batch(node) == 1

    def _output_for_batch(self, node: ast.expr) -> ast.expr | None:
        """The model of which a value is the output for the first part of a batch."""
        made = self.assigned(node) if isinstance(node, ast.Name) else node
        made = unconverted(made) if made is not None else None
        if not isinstance(made, ast.Call) or not made.args:
            return None
        known = self.kind_of(made.func) is Kind.MODULE and self._part_of_batch(made.args[0]) == 0
        return made.func if known else None


def unconverted(node: ast.expr) -> ast.expr:
    """A value before it was brought to another device, dtype or shape by its methods."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr not in KEEPS:
            break
        node = node.func.value
    return node
