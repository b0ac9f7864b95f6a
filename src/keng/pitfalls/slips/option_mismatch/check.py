"""Source code: the options that a parser declares are not those that the program reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code

OPENS = frozenset({"add_subparsers", "set_defaults", "parse_known_args", "parse_intermixed_args"})
SPREADS = frozenset({"vars", "setattr", "getattr", "hasattr", "delattr"})
OF_NAMESPACE = frozenset({"keys", "items", "update", "get", "setdefault"})


@finds(fixes=True, mentions=["ArgumentParser"])
def declared_and_read(code: Code) -> Hits:
    """`--batch_size` and then `batch_size=128`; `args.lr_decay` of a parser without such an option."""
    if b"add_argument(" not in code.tree.data or b"parse_args(" not in code.tree.data:
        return
    declared = _declared(code)
    names = _parsed(code)
    if declared is None or not names:
        return
    yield from _read_undeclared(code, declared, names)
    yield from _written_out(code, declared, names)


def _declared(code: Code) -> set[str] | None:
    """The options of the file's one parser; None where others may add to them."""
    parsers = [*code.calls.calls_to("argparse.ArgumentParser")]
    if len(parsers) != 1 or any(k.arg in ("parents", None) for k in parsers[0].keywords):
        return None
    if not OPENS.isdisjoint(code.calls.calls_by_name):
        return None
    parser = code.tree.parent[parsers[0]]
    match parser:
        case ast.Assign(targets=[ast.Name(id=name)]):
            pass
        case _:
            return None
    for use in code.tree.names_by_id[name]:
        above = code.tree.parent[use]
        if isinstance(use.ctx, ast.Load) and not isinstance(above, ast.Attribute):
            return None  # another function may add options
    options = [_destination(call) for call in code.calls.method_calls("add_argument")]
    return None if None in options else {each for each in options if each}


def _destination(call: ast.Call) -> str | None:
    """The attribute under which an option is kept; None where it is not written out."""
    for keyword in call.keywords:
        if keyword.arg is None:
            return None
        if keyword.arg == "dest":
            text = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
            return text if isinstance(text, str) else None
    flags = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if len(flags) != len(call.args) or not flags:
        return None
    long = [flag for flag in flags if flag.startswith("--")]
    return (long or flags)[0].lstrip("-").replace("-", "_")


def _parsed(code: Code) -> list[ast.Name]:
    """The places that read what `parse_args` gave; none where something else may be kept in it or it is taken apart."""
    stored: list[ast.Name] = []
    for call in code.calls.method_calls("parse_args"):
        match code.tree.parent[call]:
            case ast.Assign(targets=[ast.Name() as target]):
                stored.append(target)
            case _:
                return []
    reads = [read for each in stored for read in code.flow.reads_of(each)]
    for read in reads:
        above = code.tree.parent[read]
        if isinstance(above, ast.Attribute):
            if not isinstance(above.ctx, ast.Load) or above.attr in OF_NAMESPACE:
                return []
        elif isinstance(above, (ast.Assign, ast.Subscript, ast.Compare)) or _is_spread(above):
            return []
    return reads


def _is_spread(above: ast.AST) -> bool:
    called = above.func if isinstance(above, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in SPREADS


def _read_undeclared(code: Code, declared: set[str], names: list[ast.Name]) -> Hits:
    for name in names:
        attribute = code.tree.parent[name]
        if not isinstance(attribute, ast.Attribute) or attribute.attr in declared:
            continue
        stored = any(
            isinstance(each.ctx, ast.Store) for each in code.tree.attributes_by_name[attribute.attr]
        )
        close = get_close_matches(attribute.attr, sorted(declared), n=1, cutoff=0.5)
        guarded = code.around(attribute, ast.Try) is not None
        stored = stored or any(_may_add(code, each, attribute) for each in names)
        if not stored and not guarded and not attribute.attr.startswith("_"):
            fix = None
            if close:
                text = f"{name.id}.{close[0]}"
                fix = Fix(say("read", name=close[0]), (code.edits.replace(attribute, text),))
            yield code.hit(attribute, say("undeclared", name=attribute.attr), fix)


def _may_add(code: Code, name: ast.Name, read: ast.Attribute) -> bool:
    """Whether the options are handed to a function before an option is read, which may add it:
    `init_distributed_mode(args)`."""
    call = code.tree.parent[name]
    if not isinstance(call, ast.Call):
        return False
    one_body = code.tree.enclosing_function(name) is code.tree.enclosing_function(read)
    if one_body and code.tree.position(name) > code.tree.position(read):
        return False
    there = code.classes.named(call.func)
    if there is None:
        return code.names.resolve(call.func) not in ("builtins.print", "builtins.vars")
    stores = there.tree.attributes_by_name[read.attr]
    return any(isinstance(each.ctx, ast.Store) for each in stores)


def _written_out(code: Code, declared: set[str], names: list[ast.Name]) -> Hits:
    """Options that nothing reads, where a call gets a number under their name."""
    whole = any(not isinstance(code.tree.parent[name], ast.Attribute) for name in names)
    if whole or not names:
        return
    for option in sorted(declared - code.tree.attributes_by_name.keys()):
        numbers = [*_numbers_for(code, option)]
        for number in numbers:
            text = f"{names[0].id}.{option}"
            fix = Fix(say("read", name=option), (code.edits.replace(number, text),))
            says = say("written-out", name=option, value=code.text_of(number))
            yield code.hit(number, says, fix)


def _numbers_for(code: Code, option: str) -> Iterator[ast.expr]:
    for keyword in code.of(ast.keyword):
        match keyword:
            case ast.keyword(arg=name, value=ast.Constant(value=int() | float()) as number):
                if name == option and not isinstance(number.value, bool):
                    yield number
