"""Source code: labels are moved on by one place for a model that moves them itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind
from keng.source.tree import Tree, part_at

SHIFTS_ITSELF = re.compile(
    r"transformers\.(?!Bart|BigBirdPegasus|Blenderbot|CpmAnt|Gemma4|Marian|MBart|Musicgen|Mvp|Pegasus|PLBart|"
    r"ProphetNet|TrOCR|Whisper|XLNet|XLM)\w+(?:ForCausalLM|LMHeadModel)\b"
)
"""Models whose loss compares each position's scores with the label of the next; those that are left out
compare them with the label of the same (transformers 5.23)."""
COPIES = frozenset("to cuda cpu contiguous clone detach long".split())
GATHERS = ("torch.stack", "torch.tensor", "torch.as_tensor", "torch.LongTensor", "torch.from_numpy")
PAIRS = "torch.utils.data.TensorDataset"
FARTHEST_BACK = 8


class Shifted(NamedTuple):
    """The call of a model, its inputs and labels where they are written there, and what was cut out of what
    for each."""

    call: ast.Call
    inputs: ast.expr | None
    labels: ast.expr | None
    cuts: tuple[str, str]


@finds(fixes=True)
def labels_moved_already(code: Code) -> Hits:
    for call, inputs, labels, (first, behind) in _labels_shifted_twice(code):
        model, fix = code.text_of(call.func), None
        if inputs is not None and labels is not None:
            edit = code.edits.replace(labels, code.text_of(inputs))
            fix = Fix(say("give-inputs-labels"), (edit,))
        yield code.hit(call, say("shifted-twice", model=model, behind=behind, first=first), fix)


def _labels_shifted_twice(code: Code) -> Iterator[Shifted]:
    """Labels that are the inputs moved on by one place, for a language model that moves them itself."""
    if not code.trees.files.contains(b"transformers", code.path):
        return
    named = (k for name in ("labels", None) for k in code.tree.keywords_by_name.get(name, ()))
    for call in dict.fromkeys(code.tree.parent[keyword] for keyword in named):
        if not isinstance(call, ast.Call):
            continue
        written = {keyword.arg: keyword.value for keyword in call.keywords}
        inputs = next(iter(call.args), written.get("input_ids"))
        labels = written.get("labels")
        behind = _cut_given(code, labels, written.get(None), "labels")
        first = _cut_given(code, inputs, written.get(None), "input_ids") if behind else None
        if first is None or behind is None or not _is_one_behind(first, behind):
            continue
        if _shifts_itself(code, call):
            yield Shifted(call, inputs, labels, (ast.unparse(first), ast.unparse(behind)))


def _shifts_itself(code: Code, call: ast.Call) -> bool:
    return SHIFTS_ITSELF.match(code.types.value_of(call.func).dotted) is not None


def _cut_given(
    code: Code, node: ast.expr | None, spread: ast.expr | None, key: str
) -> ast.Subscript | None:
    """The slice that an argument is, or that lies under its name in the `**batch` of a call."""
    if node is not None or not isinstance(spread, ast.Name):
        return _cut_from(code, node)
    tree, batch = _stands_for(code, spread)
    return _cut_from(code.at(tree), _at_key(batch, key))


def _cut_from(
    code: Code, node: ast.expr | None, depth: int = FARTHEST_BACK
) -> ast.Subscript | None:
    """The slice of a sequence that an expression is, through copies, names and batches of a loader."""
    tree: Tree = code.tree
    while node is not None and depth:
        depth -= 1
        match node:
            case ast.Subscript(slice=ast.Slice() | ast.Tuple()):
                return node
            case ast.Call(func=ast.Attribute(attr=name, value=inner)) if name in COPIES:
                node = inner
            case ast.Call(args=[inner, *_]) if code.names.of(tree).resolve(node.func) in GATHERS:
                node = inner
            case ast.ListComp(elt=inner):
                node = inner
            case ast.Name():
                tree, node = _stands_for(code.at(tree), node)
            case ast.Subscript(value=ast.Name() as batch, slice=ast.Constant(value=str(key))):
                tree, held = _stands_for(code.at(tree), batch)
                node = _at_key(held, key)
            case _:
                return None
    return None


def _stands_for(code: Code, name: ast.Name) -> tuple[Tree, ast.expr | None]:
    """What a name was given, also as a part of what a function returns or of the items of a loader."""
    bound = code.flow.reaching_definitions(name)
    if len(bound) != 1:
        return code.tree, None
    value, path = bound[0].value, bound[0].path
    if bound[0].how == "for" and value is not None:
        return _item_at(code, value, path)
    if bound[0].how != "assign":
        return code.tree, None
    runs = code.types.resolve_function(value) if isinstance(value, ast.Call) and path else None
    if runs is None:
        return code.tree, part_at(value, path)
    given = runs.tree.returns(runs.node)
    return runs.tree, part_at(given[0], path) if len(given) == 1 else None


def _item_at(code: Code, through: ast.expr, path: tuple[int, ...]) -> tuple[Tree, ast.expr | None]:
    """A part of each item of the data set whose loader a loop goes through."""
    while isinstance(through, ast.Call) and code.types.kind_of(through) is not Kind.LOADER:
        if not through.args:
            return code.tree, None
        path = path[1:] if code.names.resolve(through.func) == "builtins.enumerate" else path
        through = through.args[0]
    loader = code.types.value_of(through).call
    data = code.calls.argument(loader, "dataset", 0) if loader in code.tree.parent else None
    made = code.types.value_of(data)
    if made.dotted == PAIRS and made.call in code.tree.parent and len(path) == 1:
        given = made.call.args
        return code.tree, given[path[0]] if path[0] < len(given) else None
    getter = code.classes.method(made.definition, "__getitem__") if made.definition else None
    items = getter.tree.returns(getter.node) if getter is not None else []
    if getter is None or len(items) != 1:
        return code.tree, None
    return getter.tree, part_at(
        code.flow.of(getter.tree).assigned_value(items[0]) or items[0], path
    )


def _at_key(node: ast.expr | None, key: str) -> ast.expr | None:
    pairs = zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ()
    return next((v for k, v in pairs if isinstance(k, ast.Constant) and k.value == key), None)


def _is_one_behind(first: ast.Subscript, behind: ast.Subscript) -> bool:
    """`ids[:, :-1]` and `ids[:, 1:]`, `ids[i : i + n]` and `ids[i + 1 : i + n + 1]`."""
    if ast.unparse(first.value) != ast.unparse(behind.value):
        return False
    *axes, one = first.slice.elts if isinstance(first.slice, ast.Tuple) else [first.slice]
    *others, other = behind.slice.elts if isinstance(behind.slice, ast.Tuple) else [behind.slice]
    if list(map(ast.unparse, axes)) != list(map(ast.unparse, others)):
        return False
    if not (isinstance(one, ast.Slice) and isinstance(other, ast.Slice)) or other.lower is None:
        return False
    begins = "0" if one.lower is None else ast.unparse(one.lower)
    wanted = {"1"} if begins == "0" else {f"{begins} + 1", f"1 + {begins}"}
    return one.step is None and other.step is None and ast.unparse(other.lower) in wanted
