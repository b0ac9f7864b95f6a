"""Source code: a decoder is evaluated with teacher forcing still on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Grad
from keng.source.tree import FUNCTIONS, Function

FORCED = re.compile(r"(?:use_|with_)?(?:teacher_?)?forc(?:ing|e|ed)(?:_\w+)?|tf_?r(?:atio|ate)?")
MAY_FORCE = re.compile(
    rb"def\s+forward\s*\((?:[^()]|\([^()]*\))*?(?:forc(?:ing|ed?)\w*|tf_?r\w*)\s*(?::[^=,]*)?=\s*(?:True|[\d.])"
)
"""In the text of a file whose forward may have such an argument."""
PICKS = ("argmax", "topk", "max")
"""Methods that make an answer of scores."""


class Forced(NamedTuple):
    """The call of a decoder, the argument that it leaves out and what that is then, and whether an answer is
    picked from scores in the same function."""

    call: ast.Call
    argument: str
    default: float
    judged: bool


@finds(fixes=True)
def answers_given_at_evaluation(code: Code) -> Hits:
    for call, argument, default, judged in _forced_evaluations(code):
        off = f"{argument}={type(default)(0)!r}"
        fix = code.edits.add_argument(call, off, say("continue-from-own-output", off=off))
        forced = f"{argument}={default!r}"
        says = say("evaluated-with-answers", model=code.text_of(call.func), argument=forced)
        yield code.hit(call, says, fix=fix, sure=judged)


def _forced_evaluations(code: Code) -> Iterator[Forced]:
    """Calls of models in eval mode and without gradients whose forward is then still given the right
    tokens, as it is by default."""
    if not code.trees.files.contains(MAY_FORCE, code.path):
        return
    for call in code.of(ast.Call):
        runs = code.types.resolve_function(call) if _gives_tokens(call) else None
        if runs is None or not isinstance(runs.node, FUNCTIONS) or runs.name != "forward":
            continue
        left = _forced_by_default(code.at(runs.tree), runs.node)
        if left is None or code.calls.bound_argument(call, runs.node, left[0]) is not None:
            continue
        if _is_evaluated(code, call):
            yield Forced(call, *left, _picks_answers(code, call))


def _is_evaluated(code: Code, call: ast.Call) -> bool:
    evaluated = code.modes.mode_at(call.func, call) == "eval"
    return evaluated and code.modes.grad_within(call) is Grad.OFF


def _picks_answers(code: Code, call: ast.Call) -> bool:
    body = code.tree.enclosing_body(call)
    return any(
        code.tree.enclosing_body(c) is body for name in PICKS for c in code.calls.calls_named(name)
    )


def _forced_by_default(code: Code, forward: Function) -> tuple[str, float] | None:
    """The argument of a forward that gives it the right tokens unless told not to, with what it is by
    default; None also where the forward asks for its mode itself."""
    if any(a.attr == "training" for a in code.below(forward, ast.Attribute)):
        return None
    plain = forward.args.args[len(forward.args.args) - len(forward.args.defaults) :]
    given = [*zip(plain, forward.args.defaults, strict=True)]
    alone = zip(forward.args.kwonlyargs, forward.args.kw_defaults, strict=True)
    for argument, default in (*given, *alone):
        forces = FORCED.fullmatch(argument.arg.lower()) is not None
        if forces and isinstance(default, ast.Constant) and _is_on(default.value):
            return argument.arg, default.value
    return None


def _gives_tokens(call: ast.Call) -> bool:
    """Whether a call may give a decoder what it is to say: a second argument, and none that is None."""
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg)]
    open_ended = len(given) < len(call.args) + len(call.keywords) or any(
        isinstance(node, ast.Starred) for node in given
    )
    return len(given) > 1 and not open_ended and not any(map(_is_none, given))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_on(default: object) -> TypeGuard[float]:
    """`True`, or a share above 0."""
    return isinstance(default, (bool, int, float)) and default > 0
