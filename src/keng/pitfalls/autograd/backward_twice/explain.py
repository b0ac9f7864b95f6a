"""Error messages: a graph is gone back through a second time."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from types import FrameType
from typing import Any

from keng.explain.failure import Failure
from keng.explain.inspecting.autograd import graph_nodes, tensors_of
from keng.explain.inspecting.modules import held_in, is_users
from keng.explain.live import LiveError
from keng.model import Fix, Hits, Message, Span, say
from keng.pitfalls.autograd._shared import (
    is_reassigned,
    losses_of_line,
    recurrent_states,
    steps_called,
)
from keng.pitfalls.autograd.backward_twice.check import _backward_before, _part_freed
from keng.rules import explains
from keng.source import Code
from keng.source.tree import LOOPS, names_in, part_at

OF_A_CRITIC = re.compile(
    r"(?:loss|err)_?(?:[dDgG]|dis\w*|gen(?:erator)?|critic)\b|"
    r"\b(?:[dDgG]|dis\w{0,12}|gen(?:erator)?|critic)_?(?:loss|err)\w*|_[DG]\b"
)
"""How the losses of two adversaries are called, and what steps one: a generator's goes through what the
discriminator's has freed."""


@explains("freed-graph")
def freed_graph(failure: Failure) -> Hits:
    code, line = failure.code, failure.place.line if failure.place else 0
    if code is None:
        yield failure.hit(_gone_back_twice(failure, say("the-loss")), sure=False)
        return
    losses = losses_of_line(code, line)
    name = f"`{losses[0].id}`" if losses else say("the-loss")
    calls = code.tree.on_line(line, ast.Call) if losses else []
    call = next((c for c in calls if code.graph.backward_losses(c) == losses), None)
    before = _backward_before(code, call) if call is not None else None
    if before is None:
        yield failure.hit(*_through_a_state(failure, code, line, name))
        return
    earlier = code.graph.backward_losses(before)[0]
    part = _part_freed(code, call, before) if call is not None else None
    between = [step for step in steps_called(code) if before.lineno < step.lineno < line]
    fix = None
    if part is not None and between:
        fix = _cut_for_the_first(code, before, part, between)
        says = say("shares-graph-detach-part", loss=name, line=before.lineno, part=part.id)
    elif OF_A_CRITIC.search(f"{losses[0].id} {earlier.id}"):
        says = say("shares-graph-adversarial", loss=name, line=before.lineno)
    else:
        says = say("shares-graph-add", loss=name, line=before.lineno)
    yield failure.hit(says, fix, sure=not code.graph.same_value(losses[0], earlier))


def _is_carried(name: str, code: Code, line: int) -> bool:
    """Whether the loop makes a variable of itself, or a module what it keeps: `model.state`."""
    owner, _, attribute = name.rpartition(".")
    return attribute in _kept_from_itself(code) if owner else name in _fed_back(code, line)


def _fed_back(code: Code, line: int) -> frozenset[str]:
    """The names that the loop around a line makes of themselves: `hidden = cell(x, hidden)`."""
    around = [loop for kind in LOOPS for loop in code.tree.on_line(line, kind)]
    loop = max(around, key=lambda loop: loop.lineno, default=None)
    found: set[str] = set()
    for made in code.below(loop, ast.Assign) if loop is not None else ():
        names = [n for t in made.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
        read = names_in(made.value)
        found |= {name.id for name in names} & read
    return frozenset(found)


def _kept_from_itself(code: Code) -> frozenset[str]:
    """The attributes of `self` that a statement makes of themselves, `self.h = self.cell(x, self.h)`, and
    none detaches."""
    found: set[str] = set()
    for made in code.of(ast.Assign):
        named = [n for t in made.targets for n in ast.walk(t)]
        found |= _of_self(named) & _of_self(ast.walk(made.value))
    cuts = code.calls.method_calls("detach", "detach_")
    for statement in filter(None, map(code.statement, cuts)):
        found -= {n.attr for n in ast.walk(statement) if isinstance(n, ast.Attribute)}
    return frozenset(found)


def _handed_on(code: Code, line: int) -> str:
    """The one state that the loop around a line gives to a call, and takes from it for the next round
    as nothing else makes it: `out, hidden = model(x, hidden)`."""
    around = [loop for loop in code.loops.all if code.tree.covers(loop.node, line)]
    loop = max(around, key=lambda loop: loop.node.lineno, default=None)
    found = [
        argument.id
        for made in (code.below(loop.node, ast.Assign) if loop is not None else ())
        for argument in getattr(made.value, "args", ())
        if isinstance(argument, ast.Name) and argument.id in _fed_back(code, line)
        if loop is not None and not is_reassigned(code, argument, made, loop)
    ]
    return found[0] if len(found) == 1 else ""


def _cut_each_round(code: Code, line: int, name: str, packed: bool) -> Fix | None:
    """A fix that cuts the graph of a state which the loop around a backward makes of itself."""
    around = [loop for kind in LOOPS for loop in code.tree.on_line(line, kind)]
    loop = max(around, key=lambda each: each.lineno, default=None)
    uses = [n for n in code.below(loop, ast.Name) if n.id == name] if loop is not None else []
    renewed = {code.statement(n) for n in uses if isinstance(n.ctx, ast.Store)}
    read = [n for n in uses if isinstance(n.ctx, ast.Load) and code.statement(n) in renewed]
    if len(read) != 1 or len(renewed) != 1 or code.around(read[0], *LOOPS) is not loop:
        return None
    if any(
        isinstance(part_at(b.value, b.path), ast.Constant)
        for b in code.flow.reaching_definitions(read[0])
    ):
        return None  # None, or a number, that has no graph
    text = f"tuple(each.detach() for each in {name})" if packed else f"{name}.detach()"
    return Fix(say("cut-graph-round-before"), (code.edits.replace(read[0], text),), "shown")


def _cut_for_the_first(
    code: Code, before: ast.Call, part: ast.Name, steps: list[ast.Call]
) -> Fix | None:
    """A fix that keeps the first of two backwards out of what made a value, where the optimizers that
    step after it do not train that."""
    bound = code.flow.reaching_definitions(part)
    made = bound[0].value if len(bound) == 1 else None
    maker = code.text_of(made.func) if isinstance(made, ast.Call) else ""
    trained = [code.types.value_of(code.tree.receiver(step)).call for step in steps]
    texts = [
        code.text_of(call) for call in trained if call is not None and call in code.tree.parent
    ]
    if not maker or len(texts) != len(steps) or any(f"{maker}." in text for text in texts):
        return None
    first = [
        n
        for n in code.of(ast.Name)
        if n.id == part.id
        and isinstance(n.ctx, ast.Load)
        and code.tree.position(bound[0].node) < code.tree.position(n) < code.tree.position(before)
    ]
    one = len(first) == 1 and isinstance(code.tree.parent[first[0]], ast.Call)
    return (
        Fix(say("cut-graph"), (code.edits.append(first[0], ".detach()"),), "shown") if one else None
    )


def _kept_for_next(code: Code, line: int, packed: Mapping[str, bool]) -> tuple[str, Fix] | None:
    """The attribute of `self` that the function around a line gives to a call, and sets to a name that
    the call has given: `out, state = net(x, self.state)`, `self.state = state`; and a fix that cuts it
    there. `packed` tells of the names with a graph whether they are lists or tuples."""
    for kept in code.tree.on_line(line, ast.FunctionDef):
        for stored in code.below(kept, ast.Assign):
            target, value = stored.targets[0], stored.value
            ours = (
                isinstance(target, ast.Attribute)
                and code.classes.self_class(target.value) is not None
            )
            if not ours or not isinstance(value, ast.Name) or value.id not in packed:
                continue
            name = code.text_of(target)
            made = [b.value for b in code.flow.reaching_definitions(value)]
            calls = [each for each in made if isinstance(each, ast.Call)]
            given = [
                code.text_of(a) for c in calls for a in (*c.args, *(k.value for k in c.keywords))
            ]
            if name in given and len(made) == len(calls):
                each = f"tuple(each.detach() for each in {value.id})"
                text = each if packed[value.id] else f"{value.id}.detach()"
                edits = (code.edits.replace(value, text),)
                return name, Fix(say("keep-without-graph"), edits, "shown")
    return None


def _of_self(nodes: Iterable[ast.AST]) -> set[str]:
    return {
        n.attr
        for n in nodes
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self"
    }


def _gone_back_twice(failure: Failure, name: str) -> Message:
    """Where the code does not tell which backward came before."""
    lines = " ".join(f"{f.function} {f.text}" for f in failure.frames if f.user)
    if OF_A_CRITIC.search(lines):
        return say("freed-adversarial", loss=name)
    return say("freed-elsewhere", loss=name)


def _variables_in_the_graph(error: LiveError) -> dict[str, bool]:
    """The variables of the user's frames, and what their modules keep, that lie in the graph of the loss
    whose backward raised, and whether they are lists or tuples."""
    frames, torch = error.frames, error.torch
    losses = [t for f in frames for t in tensors_of(f.f_locals.get("t_outputs"), torch)]
    nodes = set(graph_nodes(iter(losses)))
    return {
        name: not isinstance(value, torch.Tensor)
        for frame in reversed(frames)
        if is_users(frame)
        for name, value in (*frame.f_locals.items(), *_attributes(frame, torch))
        if any(tensor.grad_fn in nodes for tensor in tensors_of(value, torch))
    }


def _attributes(frame: FrameType, torch: Any) -> Iterator[tuple[str, Any]]:
    """What modules and `self` of a frame keep as plain attributes, by their paths from a variable."""
    for name, module in held_in(frame, torch.nn.Module):
        for path, part in module.named_modules():
            root = f"{name}.{path}" if path else name
            yield from ((f"{root}.{attribute}", value) for attribute, value in vars(part).items())
    owner = getattr(frame.f_locals.get("self"), "__dict__", {})
    yield from ((f"self.{attribute}", value) for attribute, value in owner.items())


def _variables_with_a_graph(error: LiveError) -> dict[str, bool]:
    """The variables of the user's innermost frame that hold a graph, and whether they are lists or tuples."""
    inner = next((frame for frame in reversed(error.frames) if is_users(frame)), None)
    return {
        name: not isinstance(value, error.torch.Tensor)
        for name, value in (inner.f_locals.items() if inner is not None else ())
        if any(tensor.grad_fn is not None for tensor in tensors_of(value, error.torch))
    }


def _through_a_state(
    failure: Failure, code: Code, line: int, name: str
) -> tuple[Message, Fix | None, Span | None, bool]:
    """Where no earlier backward of the same file is found: the state that carries its graph, if one does."""
    reached = failure.live.ask(_variables_in_the_graph) or {}
    carried = [each for each in reached if _is_carried(each, code, line)]
    if carried:
        fix = _cut_each_round(code, line, carried[0], reached[carried[0]])
        return say("reaches-last-round", loss=name, state=carried[0]), fix, None, True
    attached = failure.live.ask(_variables_with_a_graph) or {}
    state, fix = _handed_on(code, line), None
    if state:
        here = [e for e in code.loops.all if e.node.lineno <= line <= (e.node.end_lineno or 0)]
        known = [n.id for loop in here for _, n, known in recurrent_states(code, loop) if known]
        if state in known and state in attached:
            fix = _cut_each_round(code, line, state, attached[state])
    elif kept := failure.ask_line(_kept_for_next, attached):
        state, fix = kept
    if state:
        return say("perhaps-through-state", loss=name, state=state), fix, None, False
    return _gone_back_twice(failure, name), None, None, False
