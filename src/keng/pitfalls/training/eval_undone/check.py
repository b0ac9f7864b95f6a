"""Source code: a part that the constructor puts into eval mode goes back to training with the model."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Definition
from keng.source.code import once_per_file
from keng.source.modes import unmoved
from keng.source.tree import FUNCTIONS, member, part_at
from keng.source.types.kinds import MODULES


class Undone(NamedTuple):
    """`model.train()`, the class of the model, the part that its constructor had put into eval mode, and the
    layers of that which depend on the mode by class name, None where they are not all known."""

    train: ast.Call
    owner: str
    part: str
    layers: set[str] | None


@finds(mentions=["train"])
def part_switched_with_model(code: Code) -> Hits:
    for train, owner, part, layers in _evals_undone(code):
        name = code.text_of(code.tree.receiver(train))
        values = {"name": name, "part": part, "owner": owner}
        shown = ", ".join(f"`{layer}`" for layer in sorted(layers or ()))
        known = say("undoes-eval-of-layers", layers=shown, **values)
        says = known if shown else say("undoes-eval", **values)
        yield code.hit(train, says, sure=bool(layers))


def _evals_undone(code: Code) -> Iterator[Undone]:
    """The first `train()` on objects of each class whose constructor puts a part into eval mode, where
    nothing puts it back."""
    told: set[ast.AST] = set()
    for train in sorted(code.calls.method_calls("train"), key=code.tree.position):
        kind = _class_switched(code, train) if code.modes.switch(train) == "train" else None
        if kind is None or kind.node in told or code.classes.method(kind, "train") is not None:
            continue
        told.add(kind.node)
        for part, switch in _put_into_eval(code.at(kind.tree), kind.node):
            layers = _layers_of_part(code.at(kind.tree), kind.node, part)
            if layers != set() and not _puts_back(code, part, switch):
                yield Undone(train, kind.node.name, part, layers)


def _class_switched(code: Code, train: ast.Call) -> Definition | None:
    """The project's class of the module that a call switches."""
    model = code.tree.receiver(train)
    own = code.classes.self_class(model)
    found = Definition(code.tree, own) if own is not None else _class_made(code, model)
    if found is None or not isinstance(found.node, ast.ClassDef):
        return None
    return found if code.types.of(found.tree).kind_of_class(found.node) in MODULES else None


def _class_made(code: Code, model: ast.expr | None) -> Definition | None:
    """The class of an object; of an argument the one class of the project that callers give, which may
    also give layers of PyTorch."""
    made = code.types.value_of(model).definition
    bound = (
        code.flow.reaching_definitions(model)
        if made is None and isinstance(model, ast.Name)
        else []
    )
    if len(bound) != 1:
        return made
    given = [
        code.types.of(tree).value_of(each)
        for tree, each in code.types.argument_values(bound[0].node)
    ]
    kinds = {each.definition.node: each.definition for each in given if each.definition is not None}
    return kinds.popitem()[1] if len(kinds) == 1 else None


def _put_into_eval(code: Code, owner: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """The parts that the constructor of a class puts into eval mode, where another method uses them and
    nothing in the file puts them back."""
    made = member(owner, ["__init__"])
    if not isinstance(made, FUNCTIONS):
        return
    for call in code.calls.method_calls("eval"):
        part = _part_switched(code, call) if code.within(call, made) else ""
        uses = [a for a in code.tree.attributes_by_name.get(part, ()) if not code.within(a, made)]
        used = any(code.classes.self_class(a.value) is owner for a in uses)
        if used and not _puts_back(code, part, call):
            yield part, call


def _part_switched(code: Code, switch: ast.Call) -> str:
    """The name of the part, of `self.part.eval()` and of `self.part = made().eval()`."""
    statement = code.statement(switch)
    model: ast.expr = unmoved(code.tree.receiver(switch))
    if isinstance(statement, ast.Assign) and code.modes.is_chained(switch, statement.value):
        model = statement.targets[0]
    own = isinstance(model, ast.Attribute) and code.classes.self_class(model.value) is not None
    return model.attr if own and isinstance(model, ast.Attribute) else ""


def _puts_back(code: Code, part: str, switch: ast.Call) -> bool:
    """Whether another `eval()` of the file is one of the part, or of modules that a loop goes through or
    `apply` is given."""
    others = [c for c in code.calls.method_calls("eval") if c is not switch]
    return any(_reaches(code, code.tree.receiver(call), part) for call in others)


def _reaches(code: Code, model: ast.expr, part: str) -> bool:
    if isinstance(model, ast.Name):
        each = [b for b in code.flow.reaching_definitions(model) if b.how in ("for", "argument")]
        function = code.tree.enclosing_function(model)
        given = getattr(function, "name", "") in _applied(code)
        return any(b.how == "for" or given for b in each)
    return any(isinstance(n, ast.Attribute) and n.attr == part for n in ast.walk(model))


@once_per_file
def _applied(code: Code) -> set[str]:
    """The names of functions that `apply` is given."""
    calls = code.calls.method_calls("apply")
    return {
        n.id for call in calls for a in call.args for n in ast.walk(a) if isinstance(n, ast.Name)
    }


def _layers_of_part(code: Code, owner: ast.AST, part: str) -> set[str] | None:
    """The layers of a part that depend on the mode, by class name; None where they are not all known."""
    given = [part_at(*each) for each in code.classes.attributes(owner).get(part, ())]
    made = given[0] if len(given) == 1 else None
    return code.modes.mode_dependent_layers(unmoved(made)) if made is not None else None
