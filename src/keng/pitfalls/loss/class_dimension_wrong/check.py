"""Source code: the class is chosen along dimension 0, the samples of a batch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.loss._shared import is_label, output_for_batch, unconverted
from keng.rules import finds
from keng.source import Code

LOG_SOFTMAX = frozenset({"torch.log_softmax", "torch.nn.functional.log_softmax"})
CHOOSES = ("argmax", "max")


@finds(mentions=CHOOSES)
def most_like_each_class(code: Code) -> Hits:
    for call, output in _chosen_over_samples(code):
        yield code.hit(call, say("over-samples", output=code.text_of(output)))


@finds(mentions=["nll_loss", "NLLLoss"])
def probabilities_over_samples(code: Code) -> Hits:
    """`forward` returns `log_softmax(x, dim=0)`, and nll_loss takes the class from dimension 1."""
    for call in code.graph.loss_calls("torch.nn.NLLLoss", "torch.nn.functional.nll_loss"):
        given = code.calls.argument(call, "input", position=0)
        if isinstance(given, ast.Call) or given is None:
            continue
        for origin in code.origins.origins(_unmasked(given)):
            made = origin.call
            if origin.dotted in LOG_SOFTMAX and made is not None and made in code.tree.parent:
                dim = code.calls.argument(made, "dim", 1)
                if code.flow.number(dim) == 0 and code.graph.in_forward(made):
                    yield code.hit(made, say("probabilities-over-samples"))


def _unmasked(node: ast.expr) -> ast.expr:
    """An output without the rows that are chosen of it: `output[train_mask]`."""
    return node.value if isinstance(node, ast.Subscript) else node


def _chosen_over_samples(code: Code) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`output.argmax(0)` or `torch.max(output, 0)` of a model's output for a batch, compared with the
    labels of that batch: the call, and the output."""
    for compared in _compared_pairs(code) if any(map(code.calls.calls_named, CHOOSES)) else ():
        for chosen, label in (compared, compared[::-1]):
            call = _choice(code, chosen)
            if call is None or not is_label(code, label):
                continue
            method = not code.names.resolve(call.func) and isinstance(call.func, ast.Attribute)
            output = code.tree.receiver(call) if method else code.calls.argument(call, "input", 0)
            dim = code.calls.argument(call, "dim", 0 if method else 1)
            if code.flow.number(dim) != 0 or output is None:
                continue
            if output_for_batch(code, output) is not None:
                yield call, output


def _compared_pairs(code: Code) -> Iterator[tuple[ast.expr, ast.expr]]:
    for compared in code.of(ast.Compare):
        if isinstance(compared.ops[0], (ast.Eq, ast.NotEq)) and len(compared.ops) == 1:
            yield compared.left, compared.comparators[0]
    for call in code.calls.method_calls("eq"):
        if call.args:
            yield code.tree.receiver(call), call.args[0]
    for call in code.calls.calls_to("torch.eq"):
        if len(call.args) == 2:
            yield call.args[0], call.args[1]


def _choice(code: Code, node: ast.expr) -> ast.Call | None:
    """The call of `argmax` or `max` that chose what an expression is."""
    path: tuple[int, ...] = ()
    if isinstance(node, ast.Name):
        found = code.flow.reaching_definitions(node)
        if len(found) != 1 or found[0].how != "assign" or found[0].value is None:
            return None
        node, path = found[0].value, found[0].path
    node = unconverted(node)
    if isinstance(node, ast.Attribute) and node.attr == "indices":
        node, path = node.value, (1,)
    if isinstance(node, ast.Subscript) and code.flow.number(node.slice) == 1:
        node, path = node.value, (1,)
    if not isinstance(node, ast.Call) or code.names.resolve(node.func) == "builtins.max":
        return None
    return (
        node
        if {"argmax": (), "max": (1,)}.get(code.calls.attribute_name(node.func)) == path
        else None
    )
