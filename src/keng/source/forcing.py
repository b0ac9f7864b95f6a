"""A layer of Code: decoders that are still told the answer when they are judged."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from keng.source.contexts import Grad
from keng.source.index import FUNCTIONS, Function
from keng.source.shifting import Shifting

FORCED = re.compile(r"(?:use_|with_)?(?:teacher_?)?forc(?:ing|e|ed)(?:_\w+)?|tf_?r(?:atio|ate)?")
PICKS = ("argmax", "topk", "max")
"""Methods that make an answer of scores."""


class Forced(NamedTuple):
    """The call of a decoder, the argument that it leaves out and what that is then, and whether an answer is
    picked from scores in the same function."""

    call: ast.Call
    argument: str
    default: float
    judged: bool


class Forcing(Shifting):
    def forced_evaluations(self) -> Iterator[Forced]:
        """Calls of models in eval mode and without gradients whose forward is then still given the right
        tokens, as it is by default."""
        if not any(self.project.says(word, self.path) for word in (b"forc", b"tf_r")):
            return
        for call in self.of(ast.Call):
            runs = self.what_runs(call) if _gives_tokens(call) else None
            if runs is None or not isinstance(runs.node, FUNCTIONS) or runs.name != "forward":
                continue
            left = runs.code.me.forced_by_default(runs.node)
            if left is None or self.passed(call, runs.node, left[0]) is not None:
                continue
            if self._is_evaluated(call):
                yield Forced(call, *left, self._picks_answers(call))

    def _is_evaluated(self, call: ast.Call) -> bool:
        evaluated = self.mode_at(call.func, call) == "eval"
        return evaluated and self._grad_within(call) is Grad.OFF

    def _picks_answers(self, call: ast.Call) -> bool:
        body = self.body_around(call)
        return any(self.body_around(c) is body for name in PICKS for c in self.calls_named(name))

    def forced_by_default(self, forward: Function) -> tuple[str, float] | None:
        """The argument of a forward that gives it the right tokens unless told not to, with what it is by
        default; None also where the forward asks for its mode itself."""
        if any(a.attr == "training" for a in self.below(forward, ast.Attribute)):
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
