"""Source code: a model of torchvision is told by a flag to load weights."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code
from keng.tables.removed_symbols import NEW_ARGUMENTS, TORCHVISION_MODELS, WITHOUT_WEIGHTS


@finds(fixes=True)
def flag_for_weights(code: Code) -> Hits:
    for call, model in code.calls_below(TORCHVISION_MODELS):
        given: list[tuple[str, ast.AST, ast.expr]] = [
            (k.arg or "", k, k.value) for k in call.keywords if k.arg in NEW_ARGUMENTS
        ]
        if call.args and (code.is_true(call.args[0]) or code.is_constant(call.args[0], False)):
            given.append(("pretrained", call.args[0], call.args[0]))
        for flag, node, value in given if code.torch_at_least("1.12") is not False else ():
            new = NEW_ARGUMENTS[flag]
            text = "None" if code.is_constant(value, False) and len(call.args) < 2 else ""
            if len(call.args) < 2 and code.is_true(value) and new == "weights" and "." not in model:
                text = "None" if model in WITHOUT_WEIGHTS else '"IMAGENET1K_V1"'
            edit = code.replace(node, f"{new}={text}")
            fix = Fix(f"Write {new}={text}", (edit,), "safe") if text else None
            yield code.hit(node, f"`{flag}` is outdated: it is `{new}` now", fix=fix)
