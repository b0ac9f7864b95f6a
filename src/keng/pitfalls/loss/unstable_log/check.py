"""Source code: a logarithm is taken of a softmax or sigmoid."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import functional_call, logarithms
from keng.rules import finds
from keng.source import Code

AT_ONCE = {
    "torch.softmax": "log_softmax",
    "torch.nn.functional.softmax": "log_softmax",
    "torch.Tensor.softmax": "log_softmax",
    "torch.sigmoid": "logsigmoid",
    "torch.nn.functional.sigmoid": "logsigmoid",
    "torch.Tensor.sigmoid": "logsigmoid",
}


EXP = ("torch.exp", "torch.Tensor.exp")


@finds(fixes=True, mentions=["torch.log"])
def log_of_a_rounded_number(code: Code) -> Hits:
    for call, given in logarithms(code):
        origins = code.origins.origins(given)
        if any(origin.dotted not in AT_ONCE for origin in origins):
            continue
        inner, better = origins[0].call, AT_ONCE[origins[0].dotted]
        text = (
            functional_call(code, inner, better) if inner is given and len(origins) == 1 else None
        )
        fix = (
            Fix(say("compute-at-once", function=better), (code.edits.replace(call, text),))
            if text
            else None
        )
        says = say("rounds-where-model-sure", function=code.text_of(given), better=better)
        yield code.hit(call, says, fix=fix)


@finds(fixes=True, mentions=["torch.log"])
def softplus_by_hand(code: Code) -> Hits:
    for call, given in logarithms(code):
        match given:
            case (
                ast.BinOp(left=ast.Constant(value=1), op=ast.Add(), right=ast.Call() as power)
                | ast.BinOp(left=ast.Call() as power, op=ast.Add(), right=ast.Constant(value=1))
            ) if code.types.value_of(power).dotted in EXP and not _chosen_elsewhere(code, call):
                text = functional_call(code, power, "softplus")
                fix = Fix(say("use-softplus"), (code.edits.replace(call, text),)) if text else None
                says = say("overflows-where-softplus-does", given=code.text_of(power))
                yield code.hit(call, says, fix=fix)


def _chosen_elsewhere(code: Code, node: ast.AST) -> bool:
    """Whether torch.where takes another value in place of a node where a comparison says so."""
    call = code.around(node, ast.Call)
    asked = call is not None and code.names.resolve(call.func) == "torch.where"
    return asked and call is not None and isinstance(call.args[0], ast.Compare)
