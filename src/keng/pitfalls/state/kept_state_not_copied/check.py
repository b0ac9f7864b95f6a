"""Source code: the best weights are kept without a copy, and go on changing."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def used_after_more_training(code: Code) -> Hits:
    for kept in code.weights_kept():
        model, name = code.text_of(kept.model), code.text_of(kept.target)
        whole = kept.value is kept.model
        what = f"`{name}` is `{model}` itself" if whole else f"`{name}` is `{model}`'s own memory"
        line = code.position(kept.use)[0]
        says = f"{what}, not a copy: it is trained on before line {line} uses it"
        yield code.hit(kept.value, says, _copied(code, kept.value, whole))


def _copied(code: Code, value: ast.expr, whole: bool) -> Fix | None:
    text, deep = code.text_of(value), code.spell("copy.deepcopy", value)
    if deep:
        return Fix("Keep a copy", (code.replace(value, f"{deep}({text})"),))
    clones = f"{{key: each.clone() for key, each in {text}.items()}}"
    return None if whole else Fix("Keep a copy", (code.replace(value, clones),))
