"""Source code: a torchvision model gets the deprecated flag `pretrained=`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code
from keng.tables.removed_symbols import NEW_ARGUMENTS, TORCHVISION_MODELS, WITHOUT_WEIGHTS


@finds(fixes=True)
def flag_for_weights(code: Code) -> Hits:
    for call, model in _calls_below(code, TORCHVISION_MODELS):
        given: list[tuple[str, ast.AST, ast.expr]] = [
            (k.arg or "", k, k.value) for k in call.keywords if k.arg in NEW_ARGUMENTS
        ]
        if call.args and _is_flag(code, call.args[0]):
            given.append(("pretrained", call.args[0], call.args[0]))
        for flag, node, value in given if code.torch_at_least("1.12") is not False else ():
            new = NEW_ARGUMENTS[flag]
            text = "None" if code.flow.is_constant(value, False) and len(call.args) < 2 else ""
            if (
                len(call.args) < 2
                and code.flow.is_true(value)
                and new == "weights"
                and "." not in model
            ):
                text = "None" if model in WITHOUT_WEIGHTS else '"IMAGENET1K_V1"'
            edit = code.edits.replace(node, f"{new}={text}")
            fix = (
                Fix(say("write-value-text", value=new, text=text), (edit,), "safe")
                if text
                else None
            )
            yield code.hit(node, say("flag-outdated", argument=flag, new=new), fix=fix)


def _calls_with_flag(code: Code) -> list[ast.Call]:
    named = [k for name in NEW_ARGUMENTS for k in code.tree.keywords_by_name.get(name, ())]
    above = [code.tree.parent[keyword] for keyword in named]
    first = (c for c in code.of(ast.Call) if c.args and _is_flag(code, c.args[0]))
    return [*dict.fromkeys(c for c in (*above, *first) if isinstance(c, ast.Call))]


def _is_flag(code: Code, value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


def _calls_below(code: Code, home: str) -> Iterator[tuple[ast.Call, str]]:
    """Calls of what lies below a module, "torchvision.models.", and the rest of its name; with "."
    where a function is looked up by a name that is not written out."""
    package = home.partition(".")[0].encode()
    for call in _calls_with_flag(code) if code.trees.files.contains(package, code.path) else ():
        dotted = code.names.resolve(call.func)
        if dotted.startswith(home):
            yield call, dotted.removeprefix(home)
        elif not dotted and code.names.resolve(
            code.types.module_looked_up(call.func)
        ) == home.rstrip("."):
            yield call, "."
