"""Source code: the best weights are kept without a copy, so training changes them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Act, Code, Kind, Loop, Step
from keng.source.flow import text_root
from keng.source.tree import names_in

SHALLOW = frozenset(["builtins.dict", "collections.OrderedDict", "copy.copy"])
"""What copies a dictionary and not what is in it."""
BETTER = re.compile("best|improve|better", re.IGNORECASE)
STOPPING = re.compile("patience|early_?stop", re.IGNORECASE)
"""Words of a class that is asked once a round of the training."""
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
Place = tuple[int, int]
LAST = (sys.maxsize, 0)


class Kept(NamedTuple):
    """`target = value` keeps the memory of `model`, or the model itself, and `use` reads it."""

    target: ast.Name | ast.Attribute
    value: ast.expr
    model: ast.expr
    use: ast.expr


@finds(fixes=True)
def used_after_more_training(code: Code) -> Hits:
    for kept in _weights_kept(code):
        model, name = code.text_of(kept.model), code.text_of(kept.target)
        whole = kept.value is kept.model
        values = {"name": name, "model": model, "line": code.tree.position(kept.use)[0]}
        says = say("is-model-itself", **values) if whole else say("shares-memory", **values)
        yield code.hit(kept.value, says, _copied(code, kept.value, whole))


def _copied(code: Code, value: ast.expr, whole: bool) -> Fix | None:
    text, deep = code.text_of(value), code.edits.qualified_name("copy.deepcopy", value)
    if deep:
        return Fix(say("keep-copy"), (code.edits.replace(value, f"{deep}({text})"),))
    text = text.removesuffix(".copy()")
    clones = f"{{key: each.clone() for key, each in {text}.items()}}"
    return None if whole else Fix(say("keep-copy"), (code.edits.replace(value, clones),))


def _weights_kept(code: Code) -> Iterator[Kept]:
    """Weights that are no copy, and that steps of an optimizer change before they are used as what they
    were: loaded back, saved or returned."""
    if b"state_dict" not in code.tree.data and b"best" not in code.tree.data:
        return
    with_states = {code.statement(call) for call in code.calls.method_calls("state_dict")}
    for statement in code.of(ast.Assign):
        target, value = statement.targets[-1], statement.value
        if not isinstance(target, (ast.Name, ast.Attribute)):
            continue
        if statement not in with_states and not isinstance(value, (ast.Name, ast.Attribute)):
            continue
        model = _memory_of(code, value) or _best_itself(code, target, value)
        kept = Kept(target, value, model, value) if model is not None else None
        use = kept and (_use_in_function(code, kept) or _use_in_class(code, kept))
        if kept is not None and use is not None:
            yield kept._replace(use=use)


def _memory_of(code: Code, value: ast.expr | None) -> ast.expr | None:
    """The model of whose memory a value is: its state dict, or another dictionary of the same."""
    match value:
        case ast.Call(func=ast.Attribute(value=owner, attr="state_dict"), args=[]):
            return owner if code.types.has_weights(owner) else None
        case ast.Call(func=ast.Attribute(value=inner, attr="copy"), args=[]):
            return _memory_of(code, inner)
        case ast.Call(func=function, args=[ast.Call() as inner]) if (
            code.names.resolve(function) in SHALLOW
        ):
            return _memory_of(code, inner)
    return None


def _best_itself(code: Code, target: ast.expr, value: ast.expr) -> ast.expr | None:
    """The model in `best_model = model` among what is done again and again."""
    named = isinstance(value, (ast.Name, ast.Attribute)) and BETTER.search(code.text_of(target))
    if not named or code.around(value, ast.For, ast.While) is None:
        return None
    return value if code.types.kind_of(value) is Kind.MODULE else None


def _use_in_function(code: Code, kept: Kept) -> ast.expr | None:
    """What reads it in the same function, after a step that changes it."""
    body, text = code.tree.enclosing_body(kept.target), ast.unparse(kept.target)
    same = [n for n in code.below(body, type(kept.target)) if ast.unparse(n) == text]
    if any(_written_into(code, each) for each in same):
        return None
    uses = [n for n in same if _gives(code, kept.target, n) and _wants(code, n, kept.model)]
    steps = [s for s in code.loops.steps_in(body.body) if s.act is Act.STEP] if uses else []
    moving = [step for step in steps if _step_is_of(code, step, kept.model)]
    return next((use for use in uses if _changed(code, kept, use, moving)), None)


def _written_into(code: Code, name: ast.AST) -> bool:
    above = code.tree.parent[name]
    return isinstance(above, ast.Subscript) and not isinstance(above.ctx, ast.Load)


def _gives(code: Code, target: ast.Name | ast.Attribute, use: ast.Name | ast.Attribute) -> bool:
    """Whether what is read may be what was kept."""
    if not isinstance(use.ctx, ast.Load):
        return False
    if isinstance(use, ast.Name):
        return any(binding.node is target for binding in code.flow.reaching_definitions(use))
    return _never_copied(code, use.attr)


def _never_copied(code: Code, attribute: str) -> bool:
    """Whether all that such an attribute is given is memory of a model, or a constant to begin with."""
    stored = [n for n in code.tree.attributes_by_name[attribute] if isinstance(n.ctx, ast.Store)]
    values = [getattr(code.tree.parent[n], "value", None) for n in stored]
    return all(
        isinstance(value, (ast.Constant, ast.Dict)) or _memory_of(code, value) for value in values
    )


def _wants(code: Code, use: ast.expr, model: ast.expr) -> bool:
    """Whether what is read is loaded into its own model, saved or returned."""
    for above in code.tree.ancestors(use):
        if isinstance(above, ast.Call) and _loads(code, above, model):
            given = above.args[:1]
            return use in given or any(isinstance(each, ast.DictComp) for each in given)
        if isinstance(above, ast.Call) and code.names.resolve(above.func) == "torch.save":
            return True
        if isinstance(above, ast.stmt):
            returned = [above, getattr(above, "value", None)]
            return isinstance(above, ast.Return) and code.tree.parent[use] in returned
    return False


def _loads(code: Code, call: ast.Call, model: ast.expr) -> bool:
    function = call.func
    loads = isinstance(function, ast.Attribute) and function.attr == "load_state_dict"
    return loads and ast.unparse(code.tree.receiver(call)) == ast.unparse(model)


def _step_is_of(code: Code, step: Step, model: ast.expr) -> bool:
    """Whether a step is of a model, as far as its optimizer, or the call that leads to it, tells."""
    root = text_root(model)
    if step.reached_by is not step.call:
        taken = (
            code.types.definition(step.reached_by.func)
            if isinstance(step.reached_by, ast.Call)
            else None
        )
        inside = taken.tree.descendants(taken.node, ast.Name) if taken is not None else []
        return any(name.id == root for name in [*code.below(step.reached_by, ast.Name), *inside])
    made = code.loops.models_stepped(step)
    return not made or any(root == name.partition(".")[0] for name in made)


def _changed(code: Code, kept: Kept, use: ast.expr, steps: list[Step]) -> bool:
    """Whether a step lies between, in this round of a loop or in the next."""
    start, end = code.tree.position(kept.target), code.tree.position(use)
    for step in steps:
        if start < code.tree.position(step.reached_by) < end:
            if _is_deleted(code, kept, step):
                return False
            return not _made_anew(code, kept, _around_both(code, kept.target, use), start, end)
        for loop in code.loops.all:
            if code.within(step.reached_by, loop.node) and _comes_round(code, kept, use, loop):
                return not _made_anew(code, kept, loop.node)
    return False


def _is_deleted(code: Code, kept: Kept, step: Step) -> bool:
    """Whether the program lets a model go before a step, so that no step changes it."""
    text = ast.unparse(kept.model).removesuffix(".module")
    return any(
        text in map(ast.unparse, deleted.targets)
        and code.tree.position(kept.target) < code.tree.position(deleted)
        and code.tree.position(deleted) < code.tree.position(step.reached_by)
        for deleted in code.below(code.tree.enclosing_body(kept.target), ast.Delete)
    )


def _around_both(code: Code, one: ast.AST, other: ast.AST) -> ast.AST:
    return next(above for above in code.tree.ancestors(one) if code.within(other, above))


def _comes_round(code: Code, kept: Kept, use: ast.expr, loop: Loop) -> bool:
    """Whether a round of a loop may pass between, wherever a step is in it."""
    if not code.within(kept.target, loop.node):
        before = code.tree.position(kept.target) < code.tree.position(use)
        return before and code.within(use, loop.node)
    test = code.around(kept.target, ast.If)
    if test is None or not code.within(test, loop.node) or not _asks_for_better(code, test, loop):
        return False
    behind, inside = (
        code.flow.siblings(code.statement(kept.target), test)[1],
        code.within(use, test),
    )
    leaves = any(isinstance(each, (ast.Break, ast.Return, ast.Raise)) for each in behind)
    return not leaves and not (
        inside and code.flow.field_of(use, test) == code.flow.field_of(kept.target, test)
    )


def _asks_for_better(code: Code, test: ast.If, loop: Loop) -> bool:
    """Whether something is kept where it is better than before, and not by the number of the round."""
    if BETTER.search(ast.unparse(test.test)):
        return True
    rounds = names_in(loop.node.target) if isinstance(loop.node, ast.For) else set()
    return any(
        isinstance(compared, ast.Compare)
        and isinstance(compared.ops[0], ORDERS)
        and not rounds & names_in(compared)
        for compared in ast.walk(test.test)
    )


def _made_anew(
    code: Code, kept: Kept, block: ast.AST, start: Place = (0, 0), end: Place = LAST
) -> bool:
    """Whether a block gives another model the name: what was kept is the old one's alone then."""
    text = ast.unparse(kept.model)
    named: list[ast.Name | ast.Attribute] = [
        *code.below(block, ast.Name),
        *code.below(block, ast.Attribute),
    ]
    between = [n for n in named if start < code.tree.position(n) < end]
    stored = [ast.unparse(n) for n in between if isinstance(n.ctx, ast.Store)]
    return any(text == each or text.startswith(f"{each}.") for each in stored)


def _use_in_class(code: Code, kept: Kept) -> ast.expr | None:
    """Where another method of a class that stops a training early loads what it has kept."""
    target, owner = kept.target, code.tree.enclosing_class(kept.target)
    if owner is None or not isinstance(target, ast.Attribute):
        return None
    if not STOPPING.search(code.text_of(owner)) or not _never_copied(code, target.attr):
        return None
    for read in code.tree.attributes_by_name[target.attr]:
        here = code.tree.enclosing_class(read) is owner and isinstance(read.ctx, ast.Load)
        elsewhere = code.tree.enclosing_function(read) is not code.tree.enclosing_function(target)
        call = code.tree.parent[read]
        if here and elsewhere and isinstance(call, ast.Call) and _loads(code, call, kept.model):
            return read
    return None
