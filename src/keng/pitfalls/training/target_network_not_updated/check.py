"""Source code: a copy that is to follow the weights stays what it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import names_in

ITERATES = ("parameters", "named_parameters", "buffers", "named_buffers")


@finds(mentions=[*ITERATES, "load_state_dict"])
def written_nowhere(code: Code) -> Hits:
    for assigned, name in _parameters_rebound(code):
        says = say("gives-name-new-tensor", name=name)
        yield code.hit(assigned, says)
    for call in _loaded_from_themselves(code):
        model = code.text_of(code.tree.receiver(call))
        yield code.hit(call, say("loaded-from-itself-stays", model=model))


def _parameters_rebound(code: Code) -> Iterator[tuple[ast.Assign, str]]:
    """`slow = 0.9 * slow + 0.1 * fast` in a loop over parameters, where the name is not read again: the
    assignment, and the name."""
    for call in code.calls.method_calls(*ITERATES):
        loop = code.around(call, ast.For)
        if loop is None or not code.within(call, loop.iter):
            continue
        names = names_in(loop.target)
        for assigned in code.below(loop, ast.Assign):
            target, value = assigned.targets[0], assigned.value
            if not isinstance(target, ast.Name) or not isinstance(value, ast.BinOp):
                continue
            if target.id not in names:
                continue
            read = [n for n in code.below(loop, ast.Name) if n.id == target.id]
            of_itself = any(code.within(n, value) for n in read)
            behind = [n for n in read if code.tree.position(n) > code.tree.position(value)]
            last = all(code.within(n, value) for n in behind)
            if of_itself and last:
                yield assigned, target.id


def _loaded_from_themselves(code: Code) -> Iterator[ast.Call]:
    """`target.load_state_dict(target.state_dict())`."""
    for call in code.calls.method_calls("load_state_dict"):
        match call.args[:1]:
            case [ast.Call(func=ast.Attribute(attr="state_dict", value=given), args=[])]:
                same = ast.unparse(given) == ast.unparse(code.tree.receiver(call))
                if same and code.types.has_weights(given) and not code.modes.in_try_or_raises(call):
                    yield call
