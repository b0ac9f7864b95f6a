"""Source code: the last step of a bidirectional layer holds a backward half that has only begun."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Edit, Fix, Hits, say
from keng.rules import finds
from keng.source import Code

RECURRENT = ("torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN")
KEEPS_STEPS = ("torch.nn.Dropout", "torch.nn.LayerNorm", "torch.nn.functional.dropout")
SIZES = frozenset("shape size dtype device ndim dim".split())
SPLITS = frozenset("chunk split view reshape unflatten tensor_split".split())
LAST = {True: (":,-1", ":,-1,:", ":,-1,..."), False: ("-1", "-1,:", "-1,:,:", "-1,...")}


@finds(fixes=True)
def half_has_read_one_step(code: Code) -> Hits:
    for taken, call in _backward_halves_begun(code):
        layer, edits = code.text_of(call.func), _ends_of_both(code, taken, call)
        says = say("backward-half-has-read", taken=layer, taken_2=code.text_of(taken))
        yield code.hit(taken, says, Fix(say("take-both-last-states"), edits) if edits else None)


def _backward_halves_begun(code: Code) -> Iterator[tuple[ast.Subscript, ast.Call]]:
    """The last step of all that a bidirectional layer gives, of which nothing else is read: what is
    taken, and the call of the layer."""
    for call in code.of(ast.Call) if code.trees.files.contains(b"bidirectional", code.path) else ():
        if not _names_steps(code, call):
            continue
        maker = code.types.value_of(call.func)
        if maker.dotted not in RECURRENT or maker.call is None:
            continue
        first = code.calls.argument(maker.call, "batch_first", 4)
        known = first is None or isinstance(first, ast.Constant)
        both = code.flow.is_constant(code.calls.argument(maker.call, "bidirectional", 6), True)
        if not both or not known or any(map(code.flow.reads_of, _recurrent_states(code, call))):
            continue
        uses = list(_steps_given(code, call))
        taken = [_last_taken(code, use, code.flow.is_constant(first, True)) for use in uses]
        if all(each is not None and not _is_split(code, each) for each in taken):
            yield from ((each, call) for each in taken if each is not None)


def _ends_of_both(code: Code, taken: ast.Subscript, call: ast.Call) -> tuple[Edit, ...]:
    """The edits that take the last states of both directions in place of the last step; none where the
    states have no place to be named."""
    stored, cat = code.tree.parent[call], code.edits.qualified_name("torch.cat", taken)
    target = stored.targets[0] if isinstance(stored, ast.Assign) else None
    if not isinstance(target, ast.Tuple) or not cat or taken.value not in _directly(code, call):
        return ()
    state, lstm = target.elts[1], code.types.value_of(call.func).dotted == RECURRENT[0]
    inner = state.elts[0] if isinstance(state, ast.Tuple) else state
    if not isinstance(inner, ast.Name):
        return ()
    pair, unnamed = lstm and inner is state, inner.id == "_"
    name, known = ("h_n", 0) if unnamed else (inner.id, 1)
    if len(code.tree.names_by_id.get(name, ())) > known:
        return ()
    named = (code.edits.replace(inner, "(h_n, _)" if pair else "h_n"),) if unnamed else ()
    last = f"{name}[0]" if pair and not unnamed else name
    return (*named, code.edits.replace(taken, f"{cat}(({last}[-2], {last}[-1]), dim=-1)"))


def _recurrent_states(code: Code, call: ast.Call) -> list[ast.Name]:
    """The names that the states of a recurrent layer are given."""
    stored = code.tree.parent[call]
    target = stored.targets[0] if isinstance(stored, ast.Assign) else None
    if not isinstance(target, ast.Tuple):
        return []
    return [n for n in ast.walk(target) if isinstance(n, ast.Name) and n is not target.elts[0]]


def _names_steps(code: Code, call: ast.Call) -> bool:
    """Whether a call is used as that of a recurrent layer, whose steps come before its states."""
    match code.tree.parent[call]:
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(), _])]):
            return True
        case ast.Subscript(slice=ast.Constant(value=0)):
            return True
    return False


def _directly(code: Code, call: ast.Call) -> list[ast.expr]:
    """Where the steps are read that a recurrent layer gives, as it gave them."""
    match above := code.tree.parent[call]:
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name() as kept, _])]):
            return list(code.flow.reads_of(kept))
        case ast.Subscript(slice=ast.Constant(value=0)):
            return [above]
    return []


def _steps_given(code: Code, call: ast.Call) -> Iterator[ast.expr]:
    """Where the steps are read that a recurrent layer gives, their sizes apart; through dropout too."""
    uses = _directly(code, call)
    for use in uses:
        above = code.tree.parent[use]
        stored = above.targets[0] if isinstance(above, ast.Assign) else None
        if isinstance(stored, ast.Name):
            uses += code.flow.reads_of(stored)
        elif isinstance(above, ast.Call) and above.args[:1] == [use] and _keeps_steps(code, above):
            uses.append(above)
        elif not isinstance(above, ast.Attribute) or above.attr not in SIZES:
            yield use


def _keeps_steps(code: Code, call: ast.Call) -> bool:
    return {code.names.resolve(call.func), code.types.value_of(call.func).dotted} & {
        *KEEPS_STEPS
    } != set()


def _last_taken(code: Code, use: ast.expr, batch_first: bool) -> ast.Subscript | None:
    """`use[:, -1]` or `use[-1]` around the steps of a layer."""
    taken = code.tree.parent[use]
    if not isinstance(taken, ast.Subscript) or taken.value is not use:
        return None
    text = "".join(code.text_of(taken.slice).split())
    return taken if text in LAST[batch_first] else None


def _is_split(code: Code, taken: ast.expr) -> bool:
    """Whether the halves of what is taken are distinguished."""
    match code.tree.parent[taken]:
        case ast.Subscript(value=inner) if inner is taken:
            return True
        case ast.Attribute(attr=name):
            return name in SPLITS
        case ast.Call(func=called, args=[given, *_]) if given is taken:
            return code.calls.attribute_name(called) in SPLITS
        case ast.Assign(targets=[ast.Name() as kept]):
            return any(_is_split(code, read) for read in code.flow.reads_of(kept))
    return False
