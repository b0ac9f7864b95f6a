"""Source code: naN is looked for by comparison."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code, Kind

COMPARES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


ASKS = {Kind.TENSOR: "torch.isnan", Kind.NUMBER: "math.isnan"}


@finds(fixes=True)
def compared_with_nan(code: Code) -> Hits:
    speaks = code.names_torch and b"nan" in code.data.lower()
    for test in code.of(ast.Compare) if speaks else ():
        sides = [test.left, *test.comparators]
        if len(sides) != 2 or not isinstance(test.ops[0], COMPARES):
            continue
        others = [side for side in sides if not code.is_nan(side)]
        if len(others) != 1:
            continue
        other, unequal = others[0], isinstance(test.ops[0], (ast.NotEq, ast.IsNot))
        nan = sides[other is sides[0]]  # `is np.nan` finds that one object, which no call gives
        new = isinstance(nan, ast.Call) or code.gives_a_new_number(other)
        if isinstance(test.ops[0], (ast.Is, ast.IsNot)) and not new:
            continue
        asks = code.spell(ASKS.get(code.kind_of(other), "no.such"), test)
        mask = "~" if code.kind_of(other) is Kind.TENSOR else "not "
        text = f"{mask if unequal else ''}{asks}({code.text_of(other)})"
        fix = Fix("Ask whether it is NaN", (code.replace(test, text),)) if asks else None
        never = "always true" if unequal else "never true"
        yield code.hit(test, f"`{code.text_of(test)}` is {never}: NaN equals nothing", fix=fix)
