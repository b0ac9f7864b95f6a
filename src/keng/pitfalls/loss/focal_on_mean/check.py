"""Source code: the focal loss weighs the mean of a batch instead of its samples."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Edit, Fix, Hits, say
from keng.pitfalls.loss._shared import power_of
from keng.rules import finds
from keng.source import Code, Kind

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


@finds(fixes=True)
def one_weight_for_all(code: Code) -> Hits:
    for product, name, loss in _focal_on_means(code):
        edits = _mean_at_the_end(code, product, name, loss)
        says = say("one-number-batch-so", name=name.id)
        yield code.hit(product, says, Fix(say("take-mean-at-end"), edits) if edits else None)


def _focal_on_means(code: Code) -> Iterator[tuple[ast.expr, ast.Name, ast.Call]]:
    """`(1 - exp(-ce)) ** gamma * ce` of a loss that is one number for the batch: the product, the loss
    in it, and the call that computes that."""
    for power, base in _powers(code):
        loss = _under_probability(code, base)
        product: ast.expr = power
        while _multiplies(code, above := code.tree.parent[product]):
            assert isinstance(above, ast.expr), "an operation is an expression"
            product = above
        names = [n for n in code.below(product, ast.Name) if not code.within(n, power)]
        same = [name for name in names if loss and _one_number(code, name) is loss]
        yield from ((product, name, loss) for name in same[:1] if loss)


def _mean_at_the_end(
    code: Code, product: ast.expr, name: ast.Name, loss: ast.Call
) -> tuple[Edit, ...]:
    """The edits that keep a loss for each sample until it is weighed; none where it is read elsewhere, or
    where its criterion is made elsewhere."""
    statement, kept = code.statement(product), code.statement(loss)
    whole = isinstance(statement, (ast.Return, ast.Assign)) and statement.value is product
    reads = [n for n in code.tree.names_by_id[name.id] if isinstance(n.ctx, ast.Load)]
    inside = [n for n in reads if code.within(n, product) or _is_raised(code, n)]
    here = code.names.resolve(loss.func) in LIKELIHOODS and kept is not statement
    if not whole or not here or len(inside) < len(reads):
        return ()
    given = [k.value for k in loss.keywords if k.arg == "reduction"]
    each = code.edits.add_argument(loss, 'reduction="none"', "").edits
    edits = (code.edits.replace(given[0], '"none"'),) if given else each
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    later = code.flow.reads_of(target) if isinstance(target, ast.Name) else []
    if later and all(_is_averaged(code, read) for read in later):
        return edits
    return (*edits, code.edits.append(product, ".mean()"))


def _under_probability(code: Code, base: ast.expr) -> ast.Call | None:
    """The call of the loss in `1 - exp(-loss)`."""
    match base:
        case ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=given):
            raised = power_of(code, code.flow.assigned_value(given) or given)
            return _one_number(code, raised) if raised is not None else None
    return None


def _powers(code: Code) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Powers, and what is raised in them."""
    for node in code.of(ast.BinOp):
        if isinstance(node.op, ast.Pow):
            yield node, node.left
    for call in code.calls.calls_named("pow"):
        of_torch = code.names.resolve(call.func) == "torch.pow"
        if call.args:
            method = isinstance(call.func, ast.Attribute) and not of_torch
            yield call, code.tree.receiver(call) if method else call.args[0]


def _multiplies(code: Code, node: ast.AST) -> bool:
    product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
    return product or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub))


def _is_raised(code: Code, name: ast.Name) -> bool:
    """Whether a name is in the exponent of `exp` alone."""
    above = code.tree.parent[name]
    above = code.tree.parent[above] if isinstance(above, ast.UnaryOp) else above
    return isinstance(above, ast.Call) and code.calls.attribute_name(above.func) == "exp"


def _is_averaged(code: Code, name: ast.Name) -> bool:
    above = code.tree.parent[name]
    return isinstance(above, ast.Attribute) and above.attr in ("mean", "sum")


def _one_number(code: Code, node: ast.expr) -> ast.Call | None:
    """The call of a loss of torch that gives a value, or its opposite, as one number for a batch."""
    while isinstance(node, (ast.UnaryOp, ast.Name)):
        made = node.operand if isinstance(node, ast.UnaryOp) else code.flow.assigned_value(node)
        if made is None:
            return None
        node = made
    if not isinstance(node, ast.Call) or not _is_for_batch(code, node):
        return None
    criterion = code.types.value_of(node.func)
    maker = criterion.call if criterion.kind is Kind.CRITERION else node
    known = code.names.resolve(node.func) in LIKELIHOODS or criterion.dotted in LIKELIHOODS
    if maker is None or not known or {k.arg for k in maker.keywords} & UNKNOWN_REDUCTION:
        return None
    how = code.calls.argument(maker, "reduction")
    summed = isinstance(how, ast.Constant) and how.value in ("mean", "sum")
    return node if how is None or summed else None


def _is_for_batch(code: Code, loss: ast.Call) -> bool:
    """Whether nothing tells that a loss is one of a single sample."""
    given = code.calls.argument(loss, "input", 0)
    one = isinstance(given, ast.Name) and any(
        b.how == "for" for b in code.flow.reaching_definitions(given)
    )
    return given is not None and not one and not isinstance(given, ast.Subscript)
