"""Source code: `__init__` sets an attribute under a condition, and a method reads it without one."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import FUNCTIONS, LOOPS, Function, member

REFLECTS = frozenset(
    "getattr setattr hasattr __dict__ __getattr__ __getattribute__ register_buffer register_parameter update".split()
)


@finds(mentions=["__init__"])
def read_without_the_condition(code: Code) -> Hits:
    if b"torch" not in code.tree.data:
        return
    for owner in code.of(ast.ClassDef):
        init = member(owner, ["__init__"])
        if isinstance(init, FUNCTIONS) and _has_lone_if(init) and _is_complete(code, owner):
            yield from _hits(code, owner, init)


def _has_lone_if(init: Function) -> bool:
    return any(isinstance(each, ast.If) and not each.orelse for each in init.body)


def _hits(code: Code, owner: ast.ClassDef, init: Function) -> Hits:
    for name, stores in _conditional(code, owner, init).items():
        test = code.around(stores[0], ast.If)
        read = _unconditional_read(code, owner, init, name)
        if test is not None and read is not None:
            method = code.tree.enclosing_function(read)
            says = say(
                "missing",
                name=name,
                test=code.text_of(test.test),
                method=method.name if method else "",
            )
            named = isinstance(test.test, ast.Compare) and isinstance(test.test.ops[0], ast.Eq)
            yield code.hit(
                stores[0], says, sure=not named
            )  # one of several names: others may be rejected


def _is_complete(code: Code, owner: ast.ClassDef) -> bool:
    """Whether all bases are known, and no attribute is set by its name as a text."""
    for each in code.classes.mro(owner):
        there = code.at(each.tree)
        if (
            not isinstance(each.node, ast.ClassDef)
            or each.node.keywords
            or each.node.decorator_list
        ):
            return False
        for base in each.node.bases:
            known = there.classes.named(base) is not None
            dotted = there.names.resolve(base)
            if not known and not dotted.startswith(
                ("torch.nn.Module", "torch.utils.data.", "builtins.object")
            ):
                return False
        names = {n.id for n in there.below(each.node, ast.Name)}
        names |= {a.attr for a in there.below(each.node, ast.Attribute)}
        if not REFLECTS.isdisjoint(names):
            return False
    return True


def _conditional(code: Code, owner: ast.ClassDef, init: Function) -> dict[str, list[ast.Attribute]]:
    """The attributes that only the arms of one `if` without `else` give the objects of a class, by name."""
    found: dict[str, list[ast.Attribute]] = {}
    stores = [
        a for a in code.below(owner, ast.Attribute) if isinstance(a.ctx, ast.Store) and _is_own(a)
    ]
    for store in stores:
        found.setdefault(store.attr, []).append(store)
    return {
        name: places
        for name, places in found.items()
        if len(places) == 1
        and _in_lone_if(code, places[0], init)
        and not _has_otherwise(code, owner, name)
    }


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _in_lone_if(code: Code, store: ast.Attribute, init: Function) -> bool:
    """Whether a store stands in an `if` without `else` of the constructor's own body."""
    block = code.around(store, ast.If, ast.Try, ast.With, *LOOPS, *FUNCTIONS)
    if not isinstance(block, ast.If) or code.tree.parent[block] is not init or block.orelse:
        return False
    return not _leaves(block.body) and not _is_always_true(block.test)


def _is_always_true(test: ast.expr) -> bool:
    """Whether a test was switched off: `if True or config["depthwise"]`."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
    return any(isinstance(part, ast.Constant) and bool(part.value) for part in parts)


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], (ast.Return, ast.Raise))


def _has_otherwise(code: Code, owner: ast.ClassDef, name: str) -> bool:
    """Whether a class or a base has an attribute of that name of its own, or a base or heir sets it."""
    for each in [*code.classes.mro(owner), *code.classes.subclasses(owner)]:
        there = code.at(each.tree)
        for node in each.node.body:
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.name == name:
                return True
            targets = (
                node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            )
            if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                return True
        if each.node is not owner and name in there.classes.attributes(each.node):
            return True
    return False


def _unconditional_read(
    code: Code, owner: ast.ClassDef, init: Function, name: str
) -> ast.Attribute | None:
    """A read of an attribute on `self` in a method that every call of the method reaches."""
    for read in code.tree.attributes_by_name[name]:
        method = code.tree.enclosing_function(read)
        if (
            not isinstance(read.ctx, ast.Load)
            or not _is_own(read)
            or method is None
            or method is init
        ):
            continue
        if (
            code.tree.parent[method] is owner
            and _is_reached(code, read, method)
            and _is_entry(code, method)
        ):
            return read
    return None


def _is_entry(code: Code, method: Function) -> bool:
    """Whether a method is called from outside, and not only where its class checks before."""
    return method.name in ("forward", "__call__", "__getitem__", "__len__")


def _is_reached(code: Code, read: ast.AST, method: Function) -> bool:
    block: ast.AST = read
    for above in code.tree.ancestors(read):
        if above is method:
            break
        if isinstance(above, ast.If) and _is_default(above.test, method):
            block = above
            continue
        if isinstance(
            above, (ast.If, ast.IfExp, ast.BoolOp, ast.Try, ast.Lambda, *LOOPS, *FUNCTIONS)
        ):
            return False
        if isinstance(above, ast.comprehension) and block is not above.iter:
            return False
        block = above
    earlier = method.body[: method.body.index(block)] if block in method.body else method.body
    return not any(code.below(each, ast.Return, ast.Raise) for each in earlier)


def _is_default(test: ast.expr, method: Function) -> bool:
    """Whether a test is true of a call that leaves an argument out: `if weights is None`."""
    match test:
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]
        ):
            given, defaults = method.args.args, method.args.defaults
            optional = given[len(given) - len(defaults) :]
            return any(
                each.arg == name and isinstance(default, ast.Constant) and default.value is None
                for each, default in zip(optional, defaults, strict=True)
            )
    return False
