"""Source code: naN is looked for by comparison."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind

NANS = frozenset({"math.nan", "torch.nan", *(f"numpy.{name}" for name in ("nan", "NaN", "NAN"))})
NAN_NAMES = frozenset(name.rpartition(".")[2] for name in NANS)

COMPARES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


ASKS = {Kind.TENSOR: "torch.isnan", Kind.NUMBER: "math.isnan"}


@finds(fixes=True, mentions=["nan", "NaN", "NAN", "Nan"])
def compared_with_nan(code: Code) -> Hits:
    speaks = b"torch" in code.tree.data and b"nan" in code.tree.data.lower()
    for test in code.of(ast.Compare) if speaks else ():
        sides = [test.left, *test.comparators]
        if len(sides) != 2 or not isinstance(test.ops[0], COMPARES):
            continue
        others = [side for side in sides if not _is_nan(code, side)]
        if len(others) != 1:
            continue
        other, unequal = others[0], isinstance(test.ops[0], (ast.NotEq, ast.IsNot))
        nan = sides[other is sides[0]]  # `is np.nan` finds that one object, which no call gives
        new = isinstance(nan, ast.Call) or _gives_a_new_number(code, other)
        if isinstance(test.ops[0], (ast.Is, ast.IsNot)) and not new:
            continue
        asks = code.edits.qualified_name(ASKS.get(code.types.kind_of(other), "no.such"), test)
        mask = "~" if code.types.kind_of(other) is Kind.TENSOR else "not "
        text = f"{mask if unequal else ''}{asks}({code.text_of(other)})"
        fix = Fix(say("ask-whether-nan"), (code.edits.replace(test, text),)) if asks else None
        never = "always true" if unequal else "never true"
        yield code.hit(test, f"`{code.text_of(test)}` is {never}: NaN equals nothing", fix=fix)


def _is_nan(code: Code, node: ast.expr) -> bool:
    """Whether an expression is NaN as written: `float("nan")`, `math.nan`, `np.nan`, `torch.nan`."""
    if isinstance(node, ast.Call) and code.names.resolve(node.func) == "builtins.float":
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        return len(texts) == 1 and str(texts[0]).lower().strip(" +-") == "nan"
    return code.calls.may_be_named(node, NAN_NAMES) and code.names.resolve(node) in NANS


def _gives_a_new_number(code: Code, node: ast.expr) -> bool:
    """Whether an expression reads a number out of a tensor, which is a new object each time."""
    match node:
        case ast.Call(func=ast.Attribute(attr="item"), args=[]):
            return True
        case ast.Call(func=ast.Name(id="float"), args=[inner]):
            return code.types.kind_of(inner) is Kind.TENSOR
    return False
