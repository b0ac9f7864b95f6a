"""Error messages: a graph is gone back through a second time."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FrameType
from typing import Any

from keng.explain.failure import Failure
from keng.explain.inspecting.autograd import graph_nodes, tensors_of
from keng.explain.inspecting.modules import held_in, is_users
from keng.explain.live import LiveError
from keng.model import Hits
from keng.rules import explains
from keng.source import Code

OF_A_CRITIC = re.compile(
    r"(?:loss|err)_?(?:[dDgG]|dis\w*|gen(?:erator)?|critic)\b|"
    r"\b(?:[dDgG]|dis\w{0,12}|gen(?:erator)?|critic)_?(?:loss|err)\w*|_[DG]\b"
)
"""How the losses of two adversaries are called, and what steps one: a generator's goes through what the
discriminator's has freed."""
DETACHED = (
    "detach() a state of the batch before or another network's output; two losses of one forward are "
    "added, or each has its own; what is computed before the loop belongs into it"
)
ADVERSARIES = (
    "the discriminator is to get fake.detach(), and a penalty or a second loss of the same forward is "
    "added and goes back once"
)


@explains("freed-graph")
def freed_graph(failure: Failure) -> Hits:
    code, line = failure.code, failure.place.line if failure.place else 0
    losses = code.lost_on(line) if code is not None else []
    name = f"`{losses[0].id}`" if losses else "the loss"
    calls = code.on_line(line, ast.Call) if losses else []
    call = next((c for c in calls if code.lost(c) == losses), None)
    before = code.backward_before(call) if call is not None else None
    reached = failure.live.ask(_variables_in_the_graph) or {}
    carried = [n for n in reached if code is not None and _is_carried(n, code, line)]
    if before is None and carried:
        says = f"{name} reaches through `{carried[0]}` the graph of the round before, which its backward has freed"
        fix = code.cut_each_round(line, carried[0], reached[carried[0]])
        yield failure.hit(f"{says}: carry on `{carried[0]}.detach()`", fix)
        return
    attached = failure.live.ask(_variables_with_a_graph) or {}
    state, fix = code.handed_on(line) if code is not None else "", None
    if before is None and state:
        says = f"{name} reaches a graph that an earlier backward has freed, perhaps through `{state}`: carry it on detached"
        here = [e for e in code.loops if e.node.lineno <= line <= (e.node.end_lineno or 0)]
        known = [n.id for loop in here for _, n, known in code.carried(loop) if known]
        if state in known and state in attached:
            fix = code.cut_each_round(line, state, attached[state])
    elif before is None and (kept := failure.mended("kept_for_next", attached)):
        state, fix = kept
        says = f"{name} reaches a graph that an earlier backward has freed, perhaps through `{state}`: carry it on detached"
    elif before is None:
        says = _gone_back_twice(failure, name)
    else:
        says = f"{name} shares a graph with what went backward on line {before.lineno}"
        part = code.part_freed(call, before)
        between = [step for step in code.steps_called if before.lineno < step.lineno < line]
        if part is not None and between:
            fix = code.cut_for_the_first(before, part, between)
            says += f": give `{part.id}.detach()` to the one that is not to train what made it"
        else:
            says += f": {_shared(losses[0].id, code.lost(before)[0].id)}"
    sure = before is not None and not code.same_value(losses[0], code.lost(before)[0])
    yield failure.hit(says, fix, sure=sure)


def _is_carried(name: str, code: Code, line: int) -> bool:
    """Whether the loop makes a variable of itself, or a module what it keeps: `model.state`."""
    owner, _, attribute = name.rpartition(".")
    return attribute in code.kept_from_itself() if owner else name in code.fed_back(line)


def _gone_back_twice(failure: Failure, name: str) -> str:
    """Where the code does not tell which backward came before."""
    lines = " ".join(f"{f.function} {f.text}" for f in failure.frames if f.user)
    cure = ADVERSARIES if OF_A_CRITIC.search(lines) else DETACHED
    return f"{name} reaches a graph that an earlier backward has freed: {cure}"


def _shared(*losses: str) -> str:
    """What to do with two losses of one graph, by how they are called."""
    adverse = OF_A_CRITIC.search(" ".join(losses)) is not None
    return ADVERSARIES if adverse else "add the losses and go back once"


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
