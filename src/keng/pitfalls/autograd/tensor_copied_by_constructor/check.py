"""Source code: a tensor is copied by `torch.tensor`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, Severity, say
from keng.pitfalls.autograd._shared import graph_ends
from keng.rules import finds
from keng.source import Code, Kind


@finds(fixes=True, mentions=["torch.tensor"])
def copied(code: Code) -> Hits:
    for call in _tensors_of_tensors(code):
        given = call.args[0]
        plain = len(call.args) == 1 and not call.keywords
        edit = code.edits.replace(call, f"{code.edits.parenthesized(given)}.detach().clone()")
        fix = Fix(say("copy-tensor"), (edit,), "safe") if plain else None
        plainly = _has_no_graph(code, given)
        value = code.text_of(given)
        says = (
            say("tensor-copied-with-warning", value=value)
            if plainly
            else say("tensor-already-copy-here", value=value)
        )
        # Who makes a tensor of an argument is often given a list, whatever is written there.
        leaf = code.flow.is_constant(code.calls.argument(call, "requires_grad", 3), True)
        level: Severity | None = "hint" if leaf or plainly else None
        yield code.hit(call, says, fix=fix, sure=not _is_only_annotated(code, given), level=level)


def _has_no_graph(code: Code, node: ast.expr, depth: int = 3) -> bool:
    """Whether a tensor is made of numbers, here or where the function around it is called."""
    if graph_ends(code, node):
        return True
    found = code.flow.reaching_definitions(node) if isinstance(node, ast.Name) else []
    given = [each for b in found for each in code.types.argument_values(b.node)]
    known = depth and given and all(isinstance(b.node, ast.arg) for b in found)
    return bool(known) and all(
        value and _has_no_graph(code.at(tree), value, depth - 1) for tree, value in given
    )


def _is_only_annotated(code: Code, node: ast.expr, depth: int = 3) -> bool:
    """Whether a value is what it is by the annotation of an argument alone, which nobody checks: its
    own, or that of a function which hands it on."""
    found = code.flow.reaching_definitions(node) if isinstance(node, ast.Name) and depth else []
    return bool(found) and all(
        isinstance(b.node, ast.arg)
        and (b.node.annotation is not None or _declared_by_callers(code, b.node, depth))
        for b in found
    )


def _declared_by_callers(code: Code, argument: ast.arg, depth: int) -> bool:
    given = code.types.argument_values(argument)
    return any(each and _is_only_annotated(code.at(tree), each, depth - 1) for tree, each in given)


def _tensors_of_tensors(code: Code) -> Iterator[ast.Call]:
    """Calls of torch.tensor on what is known to be a tensor."""
    for call in code.calls.calls_to("torch.tensor"):
        if not call.args or code.types.kind_of(call.args[0]) is not Kind.TENSOR:
            continue
        if not _becomes_itself(code, call) and not code.states.asked(call):
            yield call


def _becomes_itself(code: Code, call: ast.Call) -> bool:
    """Whether this makes an attribute the tensor that it is known as: `self.targets = torch.tensor(self.targets)`,
    before which it is what another class or method gave it."""
    given = call.args[0]
    stored = code.tree.parent[call]
    return (
        isinstance(given, ast.Attribute)
        and isinstance(stored, ast.Assign)
        and code.text_of(given) in map(code.text_of, stored.targets)
    )
