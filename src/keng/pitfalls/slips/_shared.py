"""What several slips ask of a program."""

from __future__ import annotations

import ast
import re

from keng.source import Code
from keng.source.code import once_per_file
from keng.source.liveness import Liveness, NamesByPlace
from keng.source.tree import FUNCTIONS, Definition, Function, member

LOSS = re.compile(r"(?:^|_)loss(?:es)?(?:_|\d|$)")


@once_per_file
def liveness(code: Code) -> dict[Function | ast.Module, Liveness]:
    """The live variables of every function of a file and of its top level."""
    bodies: list[Function | ast.Module] = [code.tree.root]
    bodies += [*code.of(ast.FunctionDef), *code.of(ast.AsyncFunctionDef)]
    names = NamesByPlace(code.tree)
    return {body: Liveness(code.tree, body, names) for body in bodies}


def called_function(code: Code, call: ast.Call) -> Definition | None:
    """The function of the project that a call runs, by its name or as a method of `self`."""
    there = code.classes.named(call.func)
    return there if there is not None and isinstance(there.node, FUNCTIONS) else None


def may_be_replaced(code: Code, method: Function) -> bool:
    """Whether a method is abstract, or another class has one of its name that may run in its place; False for a
    function."""
    owner = code.tree.parent[method]
    if not isinstance(owner, ast.ClassDef):
        return False
    near = [*code.classes.subclasses(owner), *code.classes.mro(owner)[1:]]
    replaced = any(member(each.node, [method.name]) for each in near)
    return replaced or code.classes.is_abstract_method(method)


def collected(code: Code, loop: ast.For, name: str) -> bool:
    """Whether each round of a loop puts a name into a list or tuple: `new.append(x)`, `new += (x,)`."""
    for node in code.below(loop, ast.Call, ast.AugAssign):
        match node:
            case ast.Call(func=ast.Attribute(attr="append"), args=[ast.Name(id=kept)]):
                if kept == name:
                    return True
            case ast.AugAssign(
                value=ast.Tuple(elts=[ast.Name(id=kept)]) | ast.List(elts=[ast.Name(id=kept)])
            ):
                if kept == name:
                    return True
            case _:
                pass
    return False
