"""Source code: each object of a class changes a list or dictionary that belongs to the class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import FUNCTIONS, Function, member

CHANGES = frozenset("update append extend insert setdefault add pop clear remove".split())
MEANT = re.compile(r"regist|cache|instances?$|^_?all_|count|pool|shared|seen|global", re.IGNORECASE)
RANDOM = re.compile(
    r"(random|numpy\.random)\.(random|randint|uniform|randrange|choice|rand|randn|normal|sample|getrandbits)"
    r"|torch\.(rand|randn|randint|randperm|normal)|time\.time|datetime\.datetime\.now"
)
MAKERS = (
    "builtins.dict",
    "builtins.list",
    "builtins.set",
    "collections.OrderedDict",
    "collections.defaultdict",
)


@finds(mentions=["__init__"])
def changed_by_each_object(code: Code) -> Hits:
    for owner in code.of(ast.ClassDef):
        init = member(owner, ["__init__"])
        if not isinstance(init, FUNCTIONS):
            continue
        shared = dict(_shared(code, owner))
        for changed, name in _changes(code, init) if shared else ():
            if (
                name in shared
                and not code.classes.sets_attribute(owner, name)
                and not MEANT.search(name)
            ):
                yield code.hit(changed, say("changed", name=name, owner=owner.name))


@finds
def drawn_once(code: Code) -> Hits:
    """`def __init__(self, seed=np.random.randint(1000))`: the default is drawn when the file is imported."""
    for arguments in code.of(ast.arguments):
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is None or isinstance(default, (ast.Constant, ast.Lambda)):
                continue
            calls = [default] if isinstance(default, ast.Call) else []
            for call in [*calls, *code.below(default, ast.Call)]:
                if RANDOM.fullmatch(code.names.resolve(call.func)):
                    yield code.hit(call, say("default-drawn", call=code.text_of(call)))


def _shared(code: Code, owner: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    for statement in owner.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                made = code.names.resolve(value.func) if isinstance(value, ast.Call) else ""
                if isinstance(value, (ast.Dict, ast.List, ast.Set)) or made in MAKERS:
                    yield name, value


def _changes(code: Code, init: Function) -> Iterator[tuple[ast.AST, str]]:
    """What a constructor does to attributes of `self` that it does not give itself. An entry under one of its
    arguments is a register of the objects: `self.times.setdefault(name, 0.0)`."""
    taken = {each.arg for each in code.tree.parameters(init)}
    for node in code.below(init, ast.Call, ast.Assign):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    attr=method, value=ast.Attribute(value=ast.Name(id="self"), attr=name)
                )
            ):
                given = {n.id for a in node.args for n in ast.walk(a) if isinstance(n, ast.Name)}
                own_entry = method == "setdefault" and _is_named(node.args[:1], taken)
                if method in CHANGES and "self" not in given and not own_entry:
                    yield node, name
            case ast.Assign(
                targets=[
                    ast.Subscript(
                        value=ast.Attribute(value=ast.Name(id="self"), attr=name), slice=key
                    )
                ]
            ):
                if not _is_named([key], taken):
                    yield node, name


def _is_named(keys: list[ast.expr], names: set[str]) -> bool:
    """Whether a key is one of these names."""
    return any(isinstance(key, ast.Name) and key.id in names for key in keys)
