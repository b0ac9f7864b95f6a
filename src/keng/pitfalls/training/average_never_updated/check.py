"""Source code: an average of the weights is made and never updated, or takes the place of the weights for good."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

AVERAGES = re.compile(r"(?:\w*EMA\w*|ExponentialMovingAverage|ModelEma\w*|AveragedModel)")
MOVES = frozenset({"sub_", "lerp_", "mul_", "add_"})
DECAY = re.compile(r"decay|beta|alpha|momentum|\btau\b")
UPDATES = frozenset({"step", "update", "update_parameters", "update_ema", "update_fn"})


@finds
def made_and_left_alone(code: Code) -> Hits:
    if (
        b"EMA" not in code.tree.data
        and b"Average" not in code.tree.data
        and b"Ema" not in code.tree.data
    ):
        return
    for call, name in _averages(code):
        if not code.calls.method_calls("backward") or _escapes(code, name):
            continue
        done = _methods(code, name)
        body = code.tree.enclosing_body(call)
        trains = any(code.within(c, body) for c in code.calls.method_calls("backward"))
        if trains and done and not done & UPDATES:
            yield code.hit(call, say("never-updated", name=name))
    for stored, name in _stored(code):
        if "restore" not in _methods(code, name):
            yield code.hit(stored, say("never-restored", name=name))


@finds(mentions=["requires_grad"])
def frozen_parameters_averaged(code: Code) -> Hits:
    """`if not param.requires_grad: shadow.lerp_(...) else: shadow.copy_(param)`: the arms are exchanged."""
    for asked in code.tree.attributes_by_name.get("requires_grad", ()):
        block = code.tree.parent[asked]
        negated = isinstance(block, ast.UnaryOp) and isinstance(block.op, ast.Not)
        block = code.tree.parent[block] if negated else block
        if (
            not isinstance(block, ast.If)
            or not block.orelse
            or not isinstance(asked.value, ast.Name)
        ):
            continue
        frozen, trained = (block.body, block.orelse) if negated else (block.orelse, block.body)
        if _is_averaged(code, frozen) and _is_copied(code, trained):
            yield code.hit(block.test, say("frozen-averaged", name=asked.value.id))


def _is_averaged(code: Code, body: list[ast.stmt]) -> bool:
    """Whether statements move something by a decay, in place."""
    calls = [call for each in body for call in code.below(each, ast.Call)]
    moves = [c for c in calls if code.calls.attribute_name(c.func) in MOVES]
    return any(DECAY.search(ast.unparse(given)) for c in moves for given in [*c.args, *c.keywords])


def _is_copied(code: Code, body: list[ast.stmt]) -> bool:
    calls = [call for each in body for call in code.below(each, ast.Call)]
    return not _is_averaged(code, body) and any(
        code.calls.attribute_name(call.func) == "copy_" for call in calls
    )


def _averages(code: Code) -> Iterator[tuple[ast.Call, str]]:
    named = code.calls.calls_by_name
    for call in (c for name in named if AVERAGES.fullmatch(name) for c in named[name]):
        above = code.tree.parent[call]
        if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
            yield call, above.targets[0].id


def _methods(code: Code, name: str) -> set[str]:
    """What is called on a name anywhere in the file."""
    found = [code.tree.parent[n] for n in code.tree.names_by_id.get(name, ())]
    return {a.attr for a in found if isinstance(a, ast.Attribute)}


def _escapes(code: Code, name: str) -> bool:
    """Whether an average is handed to something else, which may update it."""
    for read in code.tree.names_by_id.get(name, ()):
        above = code.tree.parent[read]
        if isinstance(read.ctx, ast.Load) and not isinstance(
            above, (ast.Attribute, ast.Compare, ast.If)
        ):
            return True
    return False


def _stored(code: Code) -> Iterator[tuple[ast.Call, str]]:
    """`ema.store(parameters)`, where `copy_to` follows: the weights are to come back."""
    for call in code.calls.method_calls("store"):
        owner = code.tree.receiver(call)
        if isinstance(owner, ast.Name) and call.args and "copy_to" in _methods(code, owner.id):
            yield call, owner.id
