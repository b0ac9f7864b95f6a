"""Edits of the user's source that several explanations show."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from keng._util.texts import sentence
from keng.model import Fix
from keng.source.flow import whole_number
from keng.source.registration import is_own
from keng.source.types.kinds import MODULES, Kind

if TYPE_CHECKING:
    from keng.explain.inspecting.makers import Maker
    from keng.source import Code

UNKNOWN_TO_REGISTERS = frozenset(
    (
        "copy",
        "count",
        "index",
        "remove",
        "reverse",
        "sort",
        "fromkeys",
        "get",
        "popitem",
        "setdefault",
    )
)
"""Methods of lists and dictionaries that ModuleList and ModuleDict lack."""
GIVES = {
    "out_features": 1,
    "out_channels": 1,
    "num_features": 0,
    "embedding_dim": 1,
    "hidden_size": 1,
}
"""The size of what a layer gives: the argument of its constructor, and where that stands."""
JOINS = ("cat", "concat", "concatenate", "stack", "hstack", "chunk", "split")
LOOPED = (ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.For, ast.While)
NAMED = (ast.Name, ast.Attribute, ast.Subscript)


def refitted(
    code: Code,
    path: str,
    line: int,
    keyword: str,
    position: int,
    wants: int,
    came: int,
    beside: Mapping[str, Mapping[str, Any]],
) -> Fix | None:
    """A fix that makes a layer, named by its path in the model, for another size: where the argument
    of its constructor is a number, `wants` now, it becomes `came`; where it is a name, what a layer
    made before it says for `came`."""
    call = constructor(code, path, line)
    size = code.calls.argument(call, keyword, position) if call is not None else None
    if call is None or size is None:
        return None
    text = str(came)
    if whole_number(size) is None:
        text = _said_before(code, call, came, line, beside)
    elif whole_number(size) != wants:
        return None
    title = sentence("fix_layer_size", keyword=keyword, size=came)
    return Fix(title, (code.edits.replace(size, text),), "shown") if text else None


def fitted_before(
    code: Code, line: int, maker: Maker, taker: str, takes: str, position: int
) -> Fix | None:
    """A fix that makes the layer before another one, `taker`, for what that takes, as it is written there."""
    call = constructor(code, maker.path, line)
    size = (
        code.calls.argument(call, maker.keyword, GIVES[maker.keyword]) if call is not None else None
    )
    if call is None or size is None or code.around(call, *LOOPED):
        return None
    other = constructor(code, taker, line)
    own = code.calls.argument(other, takes, position) if other is not None else None
    text = str(maker.needs)
    if own is not None and isinstance(own, NAMED) and code.text_of(own) != code.text_of(size):
        same = code.tree.enclosing_function(own) is code.tree.enclosing_function(size)
        text = code.text_of(own) if same else text
    elif whole_number(size) is None:
        return None
    title = sentence("fix_layer_size", keyword=maker.keyword, size=text)
    return Fix(title, (code.edits.replace(size, text),), "shown")


def constructor(code: Code, path: str, line: int) -> ast.Call | None:
    """The call that made a layer, seen from a line: an attribute of the class around that line, or
    a module variable used on it, and from there along the path."""
    root, *steps = path.split(".")
    here = [n for n in code.of(ast.Name) if n.lineno == line]
    owners = (code.classes.self_class(n) for n in here if n.id == "self")
    owner = next((found for found in owners if found is not None), None)
    if owner is not None and steps:
        named = max((n for n, step in enumerate(steps) if not step.isdecimal()), default=0)
        given = code.classes.attributes(owner).get(steps[named], [])
        value = code.types.value_of(given[0][0]) if len(given) == 1 else None
        steps = steps[named + 1 :]
    else:
        value = next((code.types.value_of(n) for n in here if n.id == root), None)
    for step in steps:
        call = value.call if value is not None else None
        parts = code.types.layers_of(call) if call is not None else []
        if not step.isdecimal() or int(step) >= len(parts):
            return None
        value = code.types.value_of(parts[int(step)])
    return value.call if value is not None else None


def _said_before(
    code: Code, call: ast.Call, came: int, line: int, beside: Mapping[str, Mapping[str, Any]]
) -> str:
    """How the last layer that is made before this one in the same function writes the size that it
    gives, where that is `came`; nothing where sizes are joined on the way."""
    found: list[tuple[tuple[int, int], str, int]] = []
    for path, settings in beside.items():
        made = constructor(code, f"self.{path}", line)
        if made is None or code.tree.position(made) >= code.tree.position(call):
            continue
        alone = not any(code.around(each, *LOOPED) for each in (made, call))
        if alone and code.tree.enclosing_function(made) is code.tree.enclosing_function(call):
            for keyword, position in GIVES.items():
                size = code.calls.argument(made, keyword, position) if keyword in settings else None
                if size is not None:
                    found.append((code.tree.position(made), code.text_of(size), settings[keyword]))
    _, text, gives = max(found, key=lambda each: each[0], default=((0, 0), "", 0))
    forwards = code.tree.on_line(line, ast.FunctionDef)
    called = [c.func for f in forwards for c in code.below(f, ast.Call)]
    joined = any(getattr(f, "attr", getattr(f, "id", "")) in JOINS for f in called)
    return text if gives == came and not joined else ""


def registered(code: Code, name: str, value: ast.expr, title: str) -> Fix | None:
    """A fix that puts what registers layers in the place of a list or dictionary of them."""
    wants, _ = code.registration.container_for(name, value)
    spelled, text = code.edits.qualified_name(f"torch.nn.{wants}", value), code.text_of(value)
    if spelled is None or not _replaces(code, wants, name, value):
        return None
    wrapped = f"{spelled}({'' if text in ('[]', '{}') else text})"
    return Fix(title, (code.edits.replace(value, wrapped),))


def _replaces(code: Code, wants: str, name: str, value: ast.expr) -> bool:
    """Whether what registers layers can replace a container. It takes layers alone, under
    names without dots, and lacks some methods; what registers Parameters takes anything."""
    owner = code.tree.enclosing_class(value)
    if owner is None or not wants.startswith("Module"):
        return owner is not None
    asked = {a.attr for a in code.below(owner, ast.Attribute) if is_own(a.value, name)}
    parts = code.registration.parts_kept(owner, name, value)
    layers = all(_may_be_layer(code, part) for part in parts)
    named = all(map(partial(_may_be_name, code), _keys_kept(code, owner, name, value)))
    return layers and named and not asked & UNKNOWN_TO_REGISTERS


def _may_be_layer(code: Code, part: ast.expr) -> bool:
    if isinstance(part, ast.Constant):
        return part.value is None
    kind = code.types.kind_of(part)
    dotted = "" if isinstance(part, ast.Call) else code.names.resolve(part)
    return kind in MODULES or (kind is Kind.UNKNOWN and not dotted.startswith("torch."))


def _may_be_name(code: Code, key: ast.expr) -> bool:
    if isinstance(key, ast.Constant):
        return isinstance(key.value, str) and "." not in key.value
    return code.types.kind_of(key) is not Kind.NUMBER and not isinstance(key, ast.Tuple)


def _keys_kept(code: Code, owner: ast.ClassDef, name: str, value: ast.expr) -> Iterator[ast.expr]:
    """Under what a dictionary keeps its parts."""
    if isinstance(value, ast.Dict):
        yield from filter(None, value.keys)
    elif isinstance(value, ast.DictComp):
        yield value.key
    for node in code.below(owner, ast.Assign) if code.registration.is_dictionary(value) else ():
        match node:
            case ast.Assign(targets=[ast.Subscript(value=holder, slice=key)]):
                if is_own(holder, name):
                    yield key


def rewritten_argument(code: Code, line: int, name: str, form: str) -> Fix | None:
    """A fix that writes another form of what a line names once."""
    kinds = (*NAMED, ast.Constant, ast.Call, ast.BinOp)
    named = [node for kind in kinds for node in code.tree.on_line(line, kind)]
    read = [
        node for node in named if not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    ]
    written = [node for node in read if code.text_of(node) == name]
    if len(written) != 1:
        return None
    return Fix(sentence("fix_write", form=form), (code.edits.replace(written[0], form),), "shown")


def rewritten_input(code: Code, line: int, column: int | None, name: str, form: str) -> Fix | None:
    """A fix that writes another form of what the call at a place is given first."""
    calls = [c for c in code.tree.on_line(line, ast.Call) if code.span(c).column == column]
    given = [c.args[0] for c in calls if c.args and code.text_of(c.args[0]) == name]
    text = form.format(name)
    return (
        Fix(sentence("fix_write", form=text), (code.edits.replace(given[0], text),), "shown")
        if given
        else None
    )


def method_at(code: Code, kind: str, line: int) -> ast.FunctionDef | None:
    """The method that begins on a line, of the one class of this name in the file."""
    owners = [c for c in code.of(ast.ClassDef) if c.name == kind]
    methods = [m for m in owners[0].body if isinstance(m, ast.FunctionDef)] if owners else []
    first = [min([m.lineno, *(d.lineno for d in m.decorator_list)]) for m in methods]
    return methods[first.index(line)] if len(owners) == 1 and line in first else None
