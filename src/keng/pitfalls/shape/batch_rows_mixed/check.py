"""Source code: all rows are indexed with the indices of every row."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

CHOOSES = frozenset({"argmax", "argmin"})


@finds(mentions=sorted(CHOOSES))
def columns_of_all_rows(code: Code) -> Hits:
    """`scores[:, scores.argmax(1)]` is (B, B): one index of each row is meant."""
    for taken in code.of(ast.Subscript):
        match taken.slice:
            case ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), index]):
                if _is_of_rows(code, taken.value, index):
                    says = say(
                        "columns-of-all", rows=code.text_of(taken.value), index=code.text_of(index)
                    )
                    yield code.hit(taken, says)


def _is_of_rows(code: Code, rows: ast.expr, index: ast.expr) -> bool:
    """Whether an index holds one number for each row of what it indexes."""
    made = code.flow.call_behind(index)
    if made is None or code.calls.attribute_name(made.func) not in CHOOSES or not _drops(made):
        return False
    chosen = code.layouts.operand(made)
    same = chosen is not None and ast.unparse(chosen) == ast.unparse(rows)
    return same and code.layouts.dimension(made) in (1, -1)


def _drops(call: ast.Call) -> bool:
    return not any(keyword.arg == "keepdim" for keyword in call.keywords)
