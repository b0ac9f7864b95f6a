"""Edits of the user's source that several explanations show."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from keng.model import Edit, Fix, Span
from keng.source.flow import whole_number
from keng.source.registration import is_own
from keng.source.types.kinds import MODULES, Kind

if TYPE_CHECKING:
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
INDEXED = {
    **dict.fromkeys(("take", "put", "put_"), ("index", 1)),
    "take_along_dim": ("indices", 1),
    "embedding": ("input", 0),
    "gather": ("index", 2),
}
"""Functions of torch's -> their indices: the name of the argument, and where it stands."""
BY_INDEX = re.compile(r"(?:index|scatter)_\w*|scatter")
"""The others, which take it as gather does."""
PROBABILITIES = {
    **dict.fromkeys(("Categorical", "OneHotCategorical", "OneHotCategoricalStraightThrough"), 0),
    **dict.fromkeys(("Multinomial", "RelaxedOneHotCategorical"), 1),
}
"""Distributions that take probabilities or logits -> where the probabilities stand."""
LEARNED_FROM = re.compile(
    r"loss|cost|aux|penalty|regul|entropy|\bkl|_kl|logits?|log_?prob", re.IGNORECASE
)
"""Names of what a loss may be computed from."""


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
    title = f"Make the layer for what arrives: {keyword}={came}"
    return Fix(title, (code.edits.replace(size, text),), "shown") if text else None


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


def registered(code: Code, name: str, value: ast.expr) -> Fix | None:
    """A fix that puts what registers layers in the place of a list or dictionary of them."""
    wants, _ = code.registration.container_for(name, value)
    spelled, text = code.edits.qualified_name(f"torch.nn.{wants}", value), code.text_of(value)
    if spelled is None or not _replaces(code, wants, name, value):
        return None
    wrapped = f"{spelled}({'' if text in ('[]', '{}') else text})"
    return Fix(f"Make it a {wants}", (code.edits.replace(value, wrapped),))


def seen_as_layers(code: Code, name: str) -> Fix | None:
    """That, for the one attribute of this name."""
    found = [value for each, value in code.registration.containers_of_layers() if each == name]
    fix = registered(code, name, found[0]) if len(found) == 1 else None
    return Fix(fix.title, fix.edits, "shown") if fix is not None else None


def rewritten_argument(code: Code, line: int, name: str, form: str) -> Fix | None:
    """A fix that writes another form of what a line names once."""
    named = [node for kind in (*NAMED, ast.Constant) for node in code.tree.on_line(line, kind)]
    read = [
        node for node in named if not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    ]
    written = [node for node in read if code.text_of(node) == name]
    if len(written) != 1:
        return None
    return Fix(f"Write `{form}`", (code.edits.replace(written[0], form),), "shown")


def indexed_with(code: Code, line: int, names: Sequence[str]) -> tuple[str, Fix] | None:
    """Which of these alone a line has in an index, as one index alone has, and a fix that makes that
    whole numbers."""
    calls = (_index_of(code, call) for call in code.tree.on_line(line, ast.Call))
    brackets = (n.slice for n in code.tree.on_line(line, ast.Subscript))
    found: list[tuple[set[str], ast.expr]] = []
    for each in (*calls, *brackets):
        for index in each.elts if isinstance(each, ast.Tuple) else [each]:
            inside = list(ast.walk(index)) if index is not None else []
            told = {code.text_of(n) for n in inside if isinstance(n, NAMED)} & {*names}
            if told and index is not None and not any(isinstance(n, ast.Compare) for n in inside):
                found.append((told, index))
    told, index = found[0] if len(found) == 1 else (set(), None)
    if index is None or len(told) != 1:
        return None
    return told.pop(), Fix("Write `.long()`", (code.edits.append(index, ".long()"),), "shown")


def _index_of(code: Code, call: ast.Call) -> ast.expr | None:
    """What a call of torch's takes as an index."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    keyword, position = INDEXED.get(name, INDEXED["gather"])
    if name not in INDEXED and not BY_INDEX.fullmatch(name):
        return None
    method = not code.names.resolve(call.func).startswith("torch.")
    return code.calls.argument(call, keyword, position - method)


def as_logits(code: Code, line: int) -> Fix | None:
    """A fix that gives the one distribution of a line its last argument as logits."""
    found: list[ast.expr] = []
    for call in code.tree.on_line(line, ast.Call):
        home, _, name = code.names.resolve(call.func).rpartition(".")
        whole = not any(isinstance(each, ast.Starred) for each in call.args)
        if home.startswith("torch.distributions") and name in PROBABILITIES and whole:
            found += call.args[PROBABILITIES[name] :]
    if len(found) != 1:
        return None
    return Fix("Give them as logits", (code.edits.insert(found[0], "logits="),), "shown")


def rewritten_input(code: Code, line: int, column: int | None, name: str, form: str) -> Fix | None:
    """A fix that writes another form of what the call at a place is given first."""
    calls = [c for c in code.tree.on_line(line, ast.Call) if code.span(c).column == column]
    given = [c.args[0] for c in calls if c.args and code.text_of(c.args[0]) == name]
    text = form.format(name)
    return Fix(f"Write `{text}`", (code.edits.replace(given[0], text),), "shown") if given else None


def kept_whole(code: Code, line: int, path: str, kind: str) -> Fix | None:
    """A fix by which a layer, named by its path, or what a line calls no longer works in place."""
    made = constructor(code, path, line) if path else None
    ours = (
        made in code.tree.parent and code.names.resolve(made.func) == f"torch.nn.{kind}"
        if made
        else False
    )
    calls = [made] if ours and made else [] if path else code.tree.on_line(line, ast.Call)
    given = [(k.arg, k.value) for c in calls for k in c.keywords]
    given += [("inplace", each) for each in (made.args if ours and made else ())]
    trues = [v for name, v in given if name == "inplace" and code.flow.is_constant(v, True)]
    if len(trues) != 1:
        return None
    return Fix("Make a new tensor there", (code.edits.replace(trues[0], "False"),), "shown")


def entered(code: Code, line: int, key: str, other: str) -> Fix | None:
    """A fix that asks for another entry of a dictionary, or for the whole where that has no name."""
    found = code.tree.on_line(line, ast.Subscript)
    asked = [n for n in found if getattr(n.slice, "value", None) == key]
    if len(asked) != 1:
        return None
    quote = code.text_of(asked[0].slice)[-1]
    entry = code.edits.replace(asked[0].slice, f"{quote}{other}{quote}")
    whole = code.edits.replace(asked[0], code.text_of(asked[0].value))
    return Fix("Load what is there", (entry if other else whole,), "shown")


def resized(code: Code, line: int, name: str, as_large_as: str) -> Fix | None:
    """A fix that gives a map the height and width of another where a line names it."""
    here = [n for n in code.tree.on_line(line, ast.Name) if n.id == name]
    function = (
        code.edits.qualified_name("torch.nn.functional.interpolate", here[0]) if here else None
    )
    form = f"{function}({name}, size={as_large_as}.shape[2:])"
    return rewritten_argument(code, line, name, form) if function else None


def under_no_grad(code: Code, line: int) -> Fix | None:
    """A fix for a line that moves a tensor along its gradient, with those right behind it that do."""
    here = [s for s in code.tree.on_line(line, ast.AugAssign) if _is_along_gradient(s)]
    header = code.edits.qualified_name("torch.no_grad", here[0]) if here else None
    if len(here) != 1 or header is None:
        return None
    above = code.tree.parent[here[0]]
    blocks = [b for _, b in ast.iter_fields(above) if isinstance(b, list) and here[0] in b]
    edits: list[Edit] = []
    for statement in blocks[0][blocks[0].index(here[0]) :] if blocks else ():
        wrapped = (
            code.edits.wrap(statement, f"with {header}():")
            if _is_along_gradient(statement)
            else None
        )
        if wrapped is None:
            break
        first = wrapped[0]
        step = "\t" if first.text.endswith("\t") else "    "
        edits += [first._replace(text=step) if edits else first, *wrapped[1:]]
    return Fix("Change it outside of the graph", tuple(edits), "shown") if edits else None


def in_a_list(code: Code, line: int) -> tuple[str, Fix] | None:
    """The generator on a line that something went through before, and a fix that keeps a list."""
    for name, made, _, _ in code.generators.exhausted():
        if name.lineno == line:
            return name.id, Fix("Keep them in a list", (code.generators.as_list(made),), "shown")
    return None


def renamed(code: Code, line: int, name: str, meant: str) -> Fix | None:
    """A fix that writes another attribute where a line has one of this name once."""
    here = [n for n in code.tree.on_line(line, ast.Attribute) if n.attr == name]
    if len(here) != 1:
        return None
    return Fix(f"Write `{meant}`", (code.edits.rename_attribute(here[0], meant),), "shown")


def kept_by(code: Code, kind: str) -> set[str]:
    """The attributes that the one class of this name in the file puts on `self`."""
    owners = [c for c in code.of(ast.ClassDef) if c.name == kind]
    return set(code.classes.attributes(owners[0])) if len(owners) == 1 else set()


def has_no_result(code: Code, function: ast.FunctionDef) -> bool:
    return not code.below(function, ast.Return, ast.Yield, ast.YieldFrom)


def given_back(code: Code, line: int, name: str) -> tuple[str, Fix] | None:
    """The one function in the file that computes what a line names, under the same name, and returns
    nothing; and a fix that returns it."""
    here = [n for n in code.tree.on_line(line, ast.Name) if n.id == name]
    made = [b.value for b in code.flow.reaching_definitions(here[0])] if here else []
    called = made[0].func if len(made) == 1 and isinstance(made[0], ast.Call) else None
    short = getattr(called, "attr", getattr(called, "id", ""))
    found = [f for f in code.of(ast.FunctionDef) if f.name == short]
    if len(found) != 1 or not has_no_result(code, found[0]):
        return None
    body = found[0].body
    own = [t for s in body if isinstance(s, ast.Assign) for t in s.targets]
    if name not in [t.id for t in own if isinstance(t, ast.Name)] or not code.edits.starts_line(
        body[-1]
    ):
        return None
    text = f"{code.edits.newline}{code.edits.indentation(body[-1])}return {name}"
    return short, Fix("Return what it computes", (code.edits.append(body[-1], text),), "shown")


def leaving_out(code: Code, line: int, path: str, label: int) -> Fix | None:
    """A fix that makes a loss, named by its path, leave a label out."""
    made = constructor(code, path, line) if path else None
    if made not in code.tree.parent or code.calls.argument(made, "ignore_index") is not None:
        return None
    return code.edits.add_argument(made, f"ignore_index={label}", "Leave it out", "shown")


def relettered(code: Code, line: int, nth: int, letter: str, other: str) -> Fix | None:
    """A fix that writes another letter for a dimension of one operand of the einsum on a line."""
    texts = [n for n in code.tree.on_line(line, ast.Constant) if isinstance(n.value, str)]
    equations = [n for n in texts if re.fullmatch(r"[\w, ]+->\w*", str(n.value))]
    if len(equations) != 1:
        return None
    left, _, right = str(equations[0].value).partition("->")
    groups = left.split(",")
    groups[nth] = groups[nth].replace(letter, other)
    text = code.text_of(equations[0])
    written = text.replace(str(equations[0].value), f"{','.join(groups)}->{right}")
    return Fix(f"Call it {other} there", (code.edits.replace(equations[0], written),), "shown")


def method_at(code: Code, kind: str, line: int) -> ast.FunctionDef | None:
    """The method that begins on a line, of the one class of this name in the file."""
    owners = [c for c in code.of(ast.ClassDef) if c.name == kind]
    methods = [m for m in owners[0].body if isinstance(m, ast.FunctionDef)] if owners else []
    first = [min([m.lineno, *(d.lineno for d in m.decorator_list)]) for m in methods]
    return methods[first.index(line)] if len(owners) == 1 and line in first else None


def registered_by_name(code: Code, _: str, name: str) -> tuple[Fix, Span] | None:
    """A fix that makes the one list of layers of this name one that registers them, and its place."""
    fix = seen_as_layers(code, name)
    found = [value for own, value in code.registration.containers_of_layers() if own == name]
    return (fix, code.span(found[0])) if fix is not None else None


def kept_detached(code: Code, kind: str, name: str) -> tuple[Fix, Span] | None:
    """A fix by which a class keeps a result without its graph, where it puts one tensor there and the
    file reads it nowhere; and its place."""
    named = code.tree.attributes_by_name.get(name, [])
    stores = [n for n in named if isinstance(n.ctx, ast.Store)]
    made = [code.tree.parent[n] for n in stores]
    results = [s for s in made if not isinstance(getattr(s, "value", None), ast.Constant)]
    one = results[0] if len(results) == 1 and len(stores) == len(named) else None
    if not isinstance(one, ast.Assign) or len(one.targets) > 1 or LEARNED_FROM.search(name):
        return None
    target, value = one.targets[0], one.value
    owner = code.classes.self_class(target.value) if isinstance(target, ast.Attribute) else None
    if getattr(owner, "name", "") != kind or isinstance(value, ast.Tuple):
        return None
    edits = (code.edits.append(value, ".detach()"),)
    return Fix("Keep it without its graph", edits, "shown"), code.span(one)


def registered_as_buffer(code: Code, kind: str, name: str) -> tuple[Fix, Span] | None:
    """A fix that makes a buffer of the one tensor that a class keeps under a name, and its place."""
    stores = [n for n in code.tree.attributes_by_name.get(name, []) if isinstance(n.ctx, ast.Store)]
    kept = code.tree.parent[stores[0]] if len(stores) == 1 else None
    function = code.tree.enclosing_function(stores[0]) if kept is not None else None
    owner = code.classes.self_class(stores[0].value) if kept is not None else None
    if not isinstance(kept, ast.Assign) or len(kept.targets) > 1 or function is None:
        return None
    if getattr(owner, "name", "") != kind or function.name != "__init__":
        return None
    me, value = code.text_of(stores[0].value), code.text_of(kept.value)
    edit = code.edits.replace(kept, f'{me}.register_buffer("{name}", {value})')
    return Fix("Register it as a buffer", (edit,), "shown"), code.span(kept)


def batch_put_first(code: Code, line: int, path: str) -> Fix | None:
    """A fix by which a layer, named by its path, takes the batch in front."""
    made = constructor(code, path, line) if path else None
    if made not in code.tree.parent or code.calls.argument(made, "batch_first") is not None:
        return None
    return code.edits.add_argument(made, "batch_first=True", "Take the batch first", "shown")


def _is_along_gradient(statement: ast.AST) -> bool:
    """`w -= rate * w.grad`."""
    return isinstance(statement, ast.AugAssign) and any(
        isinstance(n, ast.Attribute) and n.attr == "grad" for n in ast.walk(statement.value)
    )


def _replaces(code: Code, wants: str, name: str, value: ast.expr) -> bool:
    """Whether what registers layers can stand in the place of a container. It takes layers alone, under
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
