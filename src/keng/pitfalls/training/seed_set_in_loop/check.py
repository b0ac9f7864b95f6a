"""Source code: the same seed is set again in each round of a training."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Act, Code, Kind, Loop
from keng.source.tree import names_in


@finds(mentions=["torch.manual_seed", "torch.cuda.manual_seed_all"])
def rounds_that_are_alike(code: Code) -> Hits:
    for call in _seeds_in_training(code):
        yield code.hit(call, say("each-round-draws-same"))


def _seeds_in_training(code: Code) -> Iterator[ast.Call]:
    """The same seed again in each round of a loop that trains one model."""
    for call in code.calls.calls_to("torch.manual_seed", "torch.cuda.manual_seed_all"):
        loops = [loop for loop in code.loops.all if code.within(call, loop.node) and loop.trains]
        if not loops or code.around(call, ast.With) is not None or not call.args:
            continue
        seed, loop = call.args[0], loops[-1]
        plain = not any(isinstance(n, (ast.Call, ast.Attribute)) for n in ast.walk(seed))
        if plain and not names_in(seed) & code.tree.bound_in(loop.node) and _trains_on(code, loop):
            yield call


def _trains_on(code: Code, loop: Loop) -> bool:
    """Whether the optimizer of a loop was there before it: a loop over runs makes one in each."""
    calls = code.below(loop.node, ast.Call)
    made = {Kind.OPTIMIZER, Kind.MODULE, Kind.LOADER}
    if any(code.types.kind_of(each) in made and _constructs(code, each) for each in calls):
        return False
    steps = loop.all(Act.STEP)
    return any(
        step.reached_by is step.call
        or Kind.OPTIMIZER in map(code.types.kind_of, step.reached_by.args)
        for step in steps
        if isinstance(step.reached_by, ast.Call)
    )


def _constructs(code: Code, call: ast.Call) -> bool:
    """Whether a call makes something new, and does not hand on what it was called on."""
    return code.names.resolve(call.func) != "" or code.types.definition(call.func) is not None
