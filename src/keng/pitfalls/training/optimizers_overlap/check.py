"""Source code: two optimizers step on the same gradients."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.training._shared import holds
from keng.rules import finds
from keng.source import Act, Code, Loop

TAKES_WHOLE = ("builtins.list", "builtins.tuple", "itertools.chain")
"""What gives on all that it is given."""


@finds
def given_to_both(code: Code) -> Hits:
    for made, first in _optimizers_sharing(code):
        yield code.hit(made, say("moved-twice", given=code.text_of(made.args[0]), first=first))


def _optimizers_sharing(code: Code) -> Iterator[tuple[ast.Call, str]]:
    """Optimizers of the same parameters as one made before, both of which step in every round of one
    training loop; with the name of that one."""
    for loop in code.loops.training:
        before: list[tuple[str, str, ast.Call]] = []
        homes: dict[str, ast.AST] = {}
        for _, name, made in code.loops.optimizer_steps(loop):
            home = code.tree.enclosing_body(made)
            # what has one name in two functions may be two models
            models = [
                text
                for text in _models_taken(code, made.args[0])
                if text.startswith("self.") or homes.setdefault(text, home) is home
            ]
            shared = [
                of
                for text, of, other in before
                if other is not made
                and any(holds(text, model) or holds(model, text) for model in models)
            ]
            if shared and _one_backward(code, loop):
                yield made, shared[0]
            before += [(model, name, made) for model in models]


def _models_taken(code: Code, given: ast.expr) -> Iterator[str]:
    """The models, as text, all of whose parameters an optimizer is given."""
    parts: list[ast.expr] = []
    match given:
        case ast.Call(func=ast.Attribute(attr="parameters", value=model), args=[]):
            yield ast.unparse(model)
        case ast.Call():
            parts = given.args if code.names.resolve(given.func) in TAKES_WHOLE else []
        case ast.BinOp(op=ast.Add()):
            parts = [given.left, given.right]
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
            pass
        case ast.Starred(value=whole):
            parts = [whole]
    for part in parts:
        yield from _models_taken(code, part)


def _one_backward(code: Code, loop: Loop) -> bool:
    """Whether a loop calls backward once a round, so that all its steps take the same gradients."""
    return len(loop.all(Act.BACKWARD)) == 1
