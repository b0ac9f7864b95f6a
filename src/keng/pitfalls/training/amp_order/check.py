"""Source code: mixed precision takes its steps in a wrong order."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial
from typing import cast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Act, Code, Kind
from keng.source.loops import Round
from keng.source.tree import FUNCTIONS, Function

AUTOCAST = re.compile(r"torch\.(?:cuda\.amp\.|amp\.)?(?:autocast_mode\.)?autocast")
SCALING = ("scaler", "bfloat16", "accelerat", "deepspeed", "fabric", "apex")
"""What a file says whose gradients are scaled, or need not be."""


@finds(fixes=True, mentions=["backward"])
def clipped_while_scaled(code: Code) -> Hits:
    for loop in _scaled_rounds(code):
        steps, blocks = _scaler_steps(code, loop), set[ast.AST | None]()
        for clip in loop.all(Act.CLIP) if steps and not loop.has(Act.UNSCALE) else ():
            along = "scale" in code.text_of(clip.call).partition(",")[2]
            if along or clip.tree is not code.tree or _alternatives(code, clip.call, steps[0]):
                continue
            block = code.tree.parent.get(code.statement(clip.call))
            if block in blocks:
                continue  # gradients are unscaled once, before the first of them
            blocks.add(block)
            scaler, given = code.text_of(code.tree.receiver(steps[0])), steps[0].args
            line = given and code.edits.new_line_before(
                clip.call, f"{scaler}.unscale_({code.text_of(given[0])})"
            )
            fix = Fix(say("unscale-gradients-first"), (line,)) if line else None
            yield code.hit(clip.call, say("clips-gradients-has-scaled", scaler=scaler), fix=fix)


@finds(mentions=["backward"])
def stepped_past_the_scaler(code: Code) -> Hits:
    for loop in _scaled_rounds(code):
        for step in [] if _scaler_steps(code, loop) else loop.own(Act.STEP):
            optimizer = code.text_of(code.tree.receiver(cast(ast.Call, step.call)))
            yield code.hit(step.call, say("steps-gradients-still-scaled", optimizer=optimizer))


@finds(mentions=["backward"])
def never_updated(code: Code) -> Hits:
    for loop in _scaled_rounds(code):
        for step in _scaler_steps(code, loop)[:1]:
            scaler = code.tree.receiver(step)
            if not _updates(code, scaler):
                says = say("never-follows-so-only", scaler=code.text_of(scaler))
                yield code.hit(step, says)


@finds
def halved_and_not_scaled(code: Code) -> Hits:
    for call in _halved_unscaled(code):
        yield code.hit(call, say("small-gradients-become-float16"))


def _scaled_rounds(code: Code) -> list[Round]:
    """Training loops that call backward on what a GradScaler has scaled, and functions that do so
    and take a step, one round of a loop that is elsewhere."""
    scaled = [call for call in code.calls.method_calls("backward") if _scaled(code, call)]
    loops = [
        loop
        for loop in code.loops.training
        if any(s.reached_by is s.call and s.call in scaled for s in loop.all(Act.BACKWARD))
    ]
    inside = {c for loop in code.loops.training for c in scaled if code.within(c, loop.node)}
    homes = dict.fromkeys(code.tree.enclosing_function(c) for c in scaled if c not in inside)
    rounds = [each for home in homes if home for each in _rounds_from(code, home)]
    return [*loops, *(each for each in rounds if each.trains)]


def _rounds_from(code: Code, home: Function) -> list[Round]:
    """A function that takes a step, or those that call it next to one that does."""
    own = Round(code.loops, home)
    if own.has(Act.STEP):
        return [own]
    callers = {tree.enclosing_function(call): tree for tree, call in code.types.callers(home)}
    return [Round(code.loops.of(tree), function) for function, tree in callers.items() if function]


def _scaled(code: Code, call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Attribute(attr="scale", value=scaler))):
            return _is_scaler(code, scaler)
    return False


def _is_scaler(code: Code, node: ast.expr) -> bool:
    """Whether a thing whose `scale` gives something to call backward on is a GradScaler: known for
    one, or used like one."""
    kind, text = code.types.kind_of(node), ast.unparse(node)
    made = code.types.value_of(node).call
    enabled = [k.value for k in made.keywords if k.arg == "enabled"] if made is not None else []
    if any(code.flow.is_constant(value, False) for value in enabled):
        return False  # scale() returns what it is given
    used = (ast.unparse(code.tree.receiver(c)) for c in code.calls.method_calls("step", "update"))
    return kind is Kind.SCALER or (kind is Kind.UNKNOWN and text in used)


def _updates(code: Code, scaler: ast.expr) -> bool:
    """Whether `update()` is called on a GradScaler, or on what is called a scaler, in this file."""
    last = ast.unparse(scaler).rpartition(".")[2]
    names = [ast.unparse(code.tree.receiver(c)) for c in code.calls.method_calls("update")]
    return any(n.rpartition(".")[2] == last or "scaler" in n.lower() for n in names)


def _scaler_steps(code: Code, loop: Round) -> list[ast.Call]:
    """The `scaler.step(optimizer)` calls of a loop; in another file or function they count too."""
    return [
        step.call
        for step in loop.all(Act.STEP)
        if isinstance(step.call, ast.Call)
        and isinstance(step.call.func, ast.Attribute)
        and (step.call.args or step.tree is not code.tree)
    ]


def _alternatives(code: Code, one: ast.AST, other: ast.AST) -> bool:
    """Whether only one of two nodes of a file runs."""
    return other not in code.tree.parent or code.flow.are_exclusive(one, other)


def _halved_unscaled(code: Code) -> Iterator[ast.Call]:
    """The backwards of training loops whose models are called under autocast to float16, in a file
    that speaks of no scaler and leaves the training to nobody else."""
    text = code.text.lower()
    if "autocast" not in text or any(word in text for word in SCALING):
        return
    for loop in code.loops.training if not code.names.uses_framework() else ():
        halved = [s for s in loop.all(Act.FORWARD) if _casts_to_half(code.at(s.tree), s.call)]
        for step in loop.all(Act.BACKWARD) if halved else ():
            if step.tree is code.tree and isinstance(step.call, ast.Call):
                yield step.call


def _casts_to_half(code: Code, node: ast.AST) -> bool:
    """Whether a node is under autocast to float16: in a block, or in a function that a decorator
    runs under it."""
    for above in code.tree.ancestors(node):
        items = above.items if isinstance(above, ast.With) else []
        if any(_is_half(code, item.context_expr) for item in items):
            return True
        if isinstance(above, FUNCTIONS):
            return any(map(partial(_decorates_to_half, code), above.decorator_list))
    return False


def _decorates_to_half(code: Code, decorator: ast.expr) -> bool:
    made = code.types.definition(decorator)
    if made is None:
        return _is_half(code, decorator)
    blocks = made.tree.descendants(made.node, ast.With)
    return any(_is_half(code.at(made.tree), i.context_expr) for b in blocks for i in b.items)


def _is_half(code: Code, context: ast.expr) -> bool:
    """`torch.autocast("cuda")`, to float16 where no other type is given; on a CPU it is another."""
    if not isinstance(context, ast.Call) or not AUTOCAST.fullmatch(
        code.names.resolve(context.func)
    ):
        return False
    if any(keyword.arg in ("enabled", None) for keyword in context.keywords):
        return False
    of_cuda = ".cuda." in code.names.resolve(context.func)
    device = None if of_cuda else code.calls.argument(context, "device_type", 0)
    dtype = code.calls.argument(context, "dtype", 1)
    if dtype is not None:
        return code.names.resolve(dtype) in ("torch.float16", "torch.half")
    return of_cuda or code.flow.text_constant(device).startswith("cuda")
