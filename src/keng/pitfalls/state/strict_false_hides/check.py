"""Source code: the keys that `load_state_dict(strict=False)` did not load are ignored."""

from __future__ import annotations

import ast
import re
from functools import partial

from keng.model import Hits, Severity, say
from keng.rules import finds
from keng.source import Code, Kind, Value

WHY = re.compile(r"strict|missing|unexpected|newly|ignore|head|partial|only", re.IGNORECASE)
PRETRAINED = re.compile(r"pre[_-]?train", re.IGNORECASE)
LONGEST = 80
"""Characters of a call that is shown whole."""
PART = re.compile(r"lora|adapter|peft", re.IGNORECASE)
"""How weights are named that are a few of a model's on purpose."""


@finds(mentions=["load_state_dict"])
def answer_dropped(code: Code) -> Hits:
    for call in code.calls.method_calls("load_state_dict"):
        lax = code.flow.is_constant(code.calls.argument(call, "strict", position=1), False)
        if not lax or not (code.tree.result_unused(call) or _never_read(code, call)):
            continue
        model, state = code.tree.receiver(call), code.calls.argument(call, "state_dict", position=0)
        # What takes `strict` and is of no known kind is a module: optimizers know no such argument.
        known = code.types.value_of(model)
        module = known.kind is Kind.MODULE or known == Value()
        if not module or _picked_by_hand(code, state) or _says_why(code, call):
            continue
        if _has_its_own_keys(code, model, state):
            continue
        name, shown = code.text_of(model), ast.unparse(call)
        if len(shown) > LONGEST:
            shown = f"{name}.load_state_dict(..., strict=False)"
        says = say("nobody-sees-what-was", model=name, call=shown)
        level: Severity | None = "hint" if _is_partly_meant(code, call, state) else None
        yield code.hit(call, says, sure=known.kind is Kind.MODULE, level=level)


def _is_partly_meant(code: Code, call: ast.Call, state: ast.expr | None) -> bool:
    """Whether weights are likely to fit, or to be taken over in parts on purpose."""
    fits = _is_made_from_it(code, state) or _saves_it_too(code, call)
    return fits or _starts_from(code, call) or _is_in_memory(code, state)


def _starts_from(code: Code, call: ast.Call) -> bool:
    """Whether a model only starts from published weights, which rarely fit its last layers."""
    function = code.tree.enclosing_function(call)
    tests = [a.test for a in code.tree.ancestors(call) if isinstance(a, ast.If)]
    above = (
        code.source.line(n).partition("#")[2] for n in range(max(call.lineno - 5, 1), call.lineno)
    )
    named = [function.name if function is not None else "", *map(code.text_of, tests), *above]
    return any(PRETRAINED.search(text) for text in named)


def _is_in_memory(code: Code, state: ast.expr | None) -> bool:
    """Whether the weights are those of another model of the program, of which parts are meant to be taken over."""
    if isinstance(state, ast.Attribute):
        owner = code.classes.self_class(state.value)
        given = code.classes.attributes(owner).get(state.attr, []) if owner is not None else []
        return any(value is not None and _takes_weights(code, value) for value, _ in given)
    made = code.flow.assigned_value(state) or state if state is not None else None
    return isinstance(made, ast.Call) and code.calls.attribute_name(made.func) == "state_dict"


def _takes_weights(code: Code, value: ast.expr) -> bool:
    """Whether a value is what a method `state_dict`, or one so named, gives, or a copy of it."""
    called = (
        code.calls.attribute_name(each.func)
        for each in ast.walk(value)
        if isinstance(each, ast.Call)
    )
    return any(name.endswith("state_dict") and not name.startswith("load") for name in called)


def _is_made_from_it(code: Code, state: ast.expr | None) -> bool:
    """Whether the model was made from the same file: `Net(**checkpoint["settings"])`."""
    root = state
    while isinstance(root, (ast.Subscript, ast.Attribute, ast.Call)):
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name):
        return False
    body = code.tree.enclosing_body(root)
    for use in (n for n in code.tree.names_by_id[root.id] if code.within(n, body)):
        part = code.tree.parent[use]
        if isinstance(part, ast.Subscript) and isinstance(code.tree.parent[part], ast.keyword):
            return True
    return False


def _saves_it_too(code: Code, call: ast.Call) -> bool:
    """Whether a class loads what it saves itself: `torch.save(self.net.state_dict(), path)` in another method."""
    owner, model = code.around(call, ast.ClassDef), ast.unparse(code.tree.receiver(call))
    saves = code.calls.calls_to("torch.save") if owner is not None else ()
    own = [save for save in saves if owner is not None and code.within(save, owner) and save.args]
    return any(ast.unparse(save.args[0]) == f"{model}.state_dict()" for save in own)


def _says_why(code: Code, call: ast.Call) -> bool:
    """Whether a comment in the lines up to a call speaks of the entries that are not loaded."""
    last = call.end_lineno or call.lineno
    comments = (code.source.line(n).partition("#")[2] for n in range(max(last - 3, 1), last + 1))
    return any(WHY.search(comment) for comment in comments)


def _never_read(code: Code, call: ast.Call) -> bool:
    """Whether what a call gives is put under names that nothing reads."""
    statement = code.statement(call)
    if not isinstance(statement, ast.Assign) or statement.value is not call:
        return False
    names = [n for target in statement.targets for n in ast.walk(target)]
    kept = {n.id for n in names if isinstance(n, ast.Name)}
    plain = all(isinstance(n, (ast.Name, ast.Tuple, ast.expr_context)) for n in names)
    uses = [n for n in code.below(code.tree.enclosing_body(call), ast.Name) if n.id in kept]
    return bool(kept) and plain and all(isinstance(n.ctx, ast.Store) for n in uses)


def _picked_by_hand(code: Code, state: ast.expr | None) -> bool:
    """Whether a state dict was put together here: picked from another by an `if`, filled, or
    written out; or whether it holds only the added weights of a fine-tuning."""
    if state is not None and PART.search(code.text_of(state)):
        return True
    ways: list[ast.AST | None] = [state]
    if isinstance(state, ast.Name):
        ways = [binding.value for binding in code.flow.reaching_definitions(state)]
    picked = [w for w in ways if isinstance(w, ast.DictComp) and any(p.ifs for p in w.generators)]
    filled = [
        w for w in ways if isinstance(w, ast.Dict) and all(map(code.flow.text_constant, w.keys))
    ]
    return bool(picked or filled) or any(map(partial(_matched, code), ways))


def _has_its_own_keys(code: Code, model: ast.expr, state: ast.expr | None) -> bool:
    """Whether a state dict was taken from the model that it is loaded into: `state = deepcopy(net.state_dict())`."""
    if not isinstance(state, ast.Name):
        return False
    made = [b.value for b in code.flow.reaching_definitions(state) if b.how == "assign"]
    own = f"{ast.unparse(model)}.state_dict()"
    texts = [ast.unparse(value) for value in made if value is not None]
    return any(text == own or text.endswith((f"copy({own})", f"dict({own})")) for text in texts)


def _matched(code: Code, made: ast.AST | None) -> bool:
    """Whether a function was given a state dict of a model to match another against."""
    given = made.args if isinstance(made, ast.Call) and len(made.args) > 1 else []
    names = [arg.func for arg in given if isinstance(arg, ast.Call)]
    return any(isinstance(f, ast.Attribute) and f.attr == "state_dict" for f in names)
