"""Source code: a constructor whose name lacks an underscore, which never runs."""

from __future__ import annotations

import ast
import re

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import FUNCTIONS

NEARLY = re.compile(r"_?_?init_?_?")


@finds(fixes=True)
def constructor_misspelt(code: Code) -> Hits:
    """`def _init__(self, ...)` in a module that has no other constructor."""
    if b"init_" not in code.tree.data:
        return
    for owner in code.of(ast.ClassDef):
        if any(getattr(each, "name", "") == "__init__" for each in owner.body):
            continue
        for method in owner.body:
            if isinstance(method, FUNCTIONS) and NEARLY.fullmatch(method.name) and _builds(method):
                edit = code.edits.replace(
                    method, code.text_of(method).replace(method.name, "__init__", 1)
                )
                fix = Fix(say("write-init"), (edit,))
                yield code.hit(
                    method, say("not-constructor-two-underscores", name=method.name), fix
                )


def _builds(method: ast.AST) -> bool:
    """Whether a method calls the constructor of a base."""
    return any(isinstance(n, ast.Attribute) and n.attr == "__init__" for n in ast.walk(method))
