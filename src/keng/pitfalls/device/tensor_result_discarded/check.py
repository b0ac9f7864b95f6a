"""Source code: the result of a tensor operation is thrown away."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.pitfalls.device._shared import CLOCKS, read_again
from keng.rules import finds
from keng.source import Code, Kind

RETURNS = frozenset(
    """
    float long half double int short bool bfloat16 byte char type detach contiguous clone view reshape
    permute transpose t squeeze unsqueeze flatten expand repeat masked_fill clamp clip scatter index_fill
    index_add index_copy fill_diagonal flip roll abs neg exp log sqrt pow add sub mul div relu sigmoid
    tanh round floor ceil type_as expand_as view_as swapaxes movedim nan_to_num
    """.split()
)


ONLY_OF_TENSORS = frozenset("permute unsqueeze masked_fill index_fill expand_as view_as".split())
"""Methods that nothing else in use has, whatever is known of what they are called on."""
PLACES = frozenset({"torch.randperm", "torch.nonzero", "torch.arange", "torch.randint"})
FUNCTIONS = frozenset(
    """
    cat concat stack clamp clip relu leaky_relu gelu elu sigmoid tanh softmax log_softmax normalize dropout
    permute transpose squeeze unsqueeze reshape flatten where flip roll masked_fill one_hot
    """.split()
)


@finds(fixes=True, mentions=RETURNS)
def result_dropped(code: Code) -> Hits:
    for call, receiver, method in code.calls.discarded_method_calls():
        if method not in RETURNS or not isinstance(
            receiver, (ast.Name, ast.Attribute, ast.Subscript)
        ):
            continue
        kind = code.types.kind_of(receiver)
        tensor = kind is Kind.TENSOR or (kind is Kind.UNKNOWN and method in ONLY_OF_TENSORS)
        if not tensor or code.modes.in_try_or_raises(call) or _is_timed(code, call):
            continue
        name = code.text_of(receiver)
        fix = None
        if read_again(code, receiver):
            fix = Fix(say("assign-result", name=name), (code.edits.insert(call, f"{name} = "),))
        yield code.hit(call, say("stays-was-returns-new", method=name, method_2=method), fix=fix)


@finds(mentions=FUNCTIONS)
def result_of_a_function_dropped(code: Code) -> Hits:
    for call in code.calls.discarded:
        if not code.calls.may_be_named(call.func, FUNCTIONS):
            continue
        home, _, name = code.names.resolve(call.func).rpartition(".")
        into = any(_writes(keyword) for keyword in call.keywords) or len(call.args) > 3
        if home not in ("torch", "torch.nn.functional") or name not in FUNCTIONS or into:
            continue
        if not code.modes.in_try_or_raises(call) and not _is_timed(code, call):
            yield code.hit(call, say("changes-nothing-returns-new", name=name))


def _writes(keyword: ast.keyword) -> bool:
    """Whether an argument may have the result written into a tensor."""
    plain = isinstance(keyword.value, ast.Constant) and keyword.value.value in (False, None)
    return keyword.arg in ("out", "inplace", None) and not plain


@finds
def written_into_a_copy(code: Code) -> Hits:
    """`x[mask][..., 0] = v`: a mask or a list of indices takes a copy, which nothing keeps."""
    for item in code.of(ast.Subscript):
        inner = item.value
        if isinstance(item.ctx, ast.Load) or not isinstance(inner, ast.Subscript):
            continue
        if _takes_copy(code, inner.slice) and code.types.kind_of(inner.value) is Kind.TENSOR:
            yield code.hit(item, say("written-into-copy", copy=code.text_of(inner)))


def _takes_copy(code: Code, index: ast.expr) -> bool:
    """Whether an index is a mask, a list, or a tensor of several places."""
    if isinstance(index, (ast.Compare, ast.List)):
        return True
    inverted = isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert)
    given = index.operand if isinstance(index, ast.UnaryOp) and inverted else index
    if not isinstance(given, ast.Name) or not isinstance(
        made := code.flow.assigned_value(given), (ast.Compare, ast.Call)
    ):
        return False
    if isinstance(made, ast.Compare):
        sides = (made.left, *made.comparators)
        return any(code.types.kind_of(side) is Kind.TENSOR for side in sides)
    return code.names.resolve(made.func) in PLACES


def _is_timed(code: Code, node: ast.AST) -> bool:
    """Whether the function of a node, or the file where it stands in none, reads clocks."""
    scope = code.tree.enclosing_function(node)
    clocks = code.calls.calls_to(*CLOCKS, "torch.cuda.Event")
    return any(code.tree.enclosing_function(call) is scope for call in clocks)
