"""Source code: the result of a tensor operation is thrown away."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
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


FUNCTIONS = frozenset(
    """
    cat concat stack clamp clip relu leaky_relu gelu elu sigmoid tanh softmax log_softmax normalize dropout
    permute transpose squeeze unsqueeze reshape flatten where flip roll masked_fill one_hot
    """.split()
)


@finds(fixes=True)
def result_dropped(code: Code) -> Hits:
    for call, receiver, method in code.discarded_calls():
        if method not in RETURNS or not isinstance(
            receiver, (ast.Name, ast.Attribute, ast.Subscript)
        ):
            continue
        if code.kind_of(receiver) is not Kind.TENSOR or code.probed(call) or code.is_timed(call):
            continue
        name = code.text_of(receiver)
        fix = None
        if code.read_again(receiver):
            fix = Fix(f"Assign the result to `{name}`", (code.insert(call, f"{name} = "),))
        yield code.hit(call, f"`{name}` stays as it was; {method}() returns a new tensor", fix=fix)


@finds
def result_of_a_function_dropped(code: Code) -> Hits:
    for call in code.calls_discarded():
        if not code.may_be_named(call.func, FUNCTIONS):
            continue
        home, _, name = code.resolve(call.func).rpartition(".")
        into = any(k.arg in ("out", "inplace", None) for k in call.keywords) or len(call.args) > 3
        if home not in ("torch", "torch.nn.functional") or name not in FUNCTIONS or into:
            continue
        if not code.probed(call) and not code.is_timed(call):
            yield code.hit(
                call, f"{name}() changes nothing; it returns a new tensor, which is dropped"
            )
