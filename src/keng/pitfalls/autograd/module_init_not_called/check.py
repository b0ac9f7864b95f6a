"""Source code: a module, or a class made from one of a library, does not call the constructor of its parent."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def constructor_without_its_parents(code: Code) -> Hits:
    for owner in code.of(ast.ClassDef):
        bases = [code.resolve(base) for base in owner.bases]
        init = code.member(owner, ["__init__"])
        if bases != ["torch.nn.Module"] or not isinstance(init, ast.FunctionDef):
            continue
        if code.calls_parents_init(owner) or code.always_raises(init):
            continue
        edit = code.first_line_in(init, "super().__init__()")
        fix = Fix("Call super().__init__() first", (edit,), "safe") if edit else None
        yield code.hit(init, f"`{owner.name}` never calls the constructor of nn.Module", fix=fix)


@finds
def registered_too_early(code: Code) -> Hits:
    for owner in code.of(ast.ClassDef):
        if [code.resolve(base) for base in owner.bases] != ["torch.nn.Module"]:
            continue
        calls = code.calls_parents_init(owner)
        for name, given in code.attributes(owner).items() if len(calls) == 1 else ():
            for value, path in given:
                if path or value is None or code.position(value) > code.position(calls[0]):
                    continue
                same = code.function_around(value) is code.function_around(calls[0])
                if same and code.registered_by_assignment(value):
                    says = f"`self.{name}` is set before the constructor of nn.Module is called"
                    yield code.hit(code.statement(value), says)
