"""Source code: `backward` of a custom autograd function returns another number of gradients than `forward` takes inputs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import FUNCTIONS, Function, member


@finds
def as_many_as_inputs(code: Code) -> Hits:
    if b"autograd" not in code.tree.data:
        return
    for owner in code.of(ast.ClassDef):
        forward, backward = member(owner, ["forward"]), member(owner, ["backward"])
        if not isinstance(forward, FUNCTIONS) or not isinstance(backward, FUNCTIONS):
            continue
        if "torch.autograd.Function" not in map(code.names.resolve, owner.bases):
            continue
        wanted, least = (
            _inputs(owner, forward),
            _inputs(owner, forward) - len(forward.args.defaults),
        )
        for value, given in _gradients(code, backward) if wanted else ():
            if given < least or (given > wanted and not _surplus_is_none(value, wanted)):
                yield code.hit(value, say("another-number", given=given, wanted=wanted))


def _inputs(owner: ast.ClassDef, forward: Function) -> int:
    """How many arguments `apply` takes at most; 0 where that may be any number."""
    if forward.args.vararg is not None or forward.args.kwonlyargs:
        return 0
    separate = member(owner, ["setup_context"]) is not None
    return len([*forward.args.posonlyargs, *forward.args.args]) - (not separate)


def _gradients(code: Code, backward: Function) -> Iterator[tuple[ast.expr, int]]:
    """What a backward returns, where it is written out, and how many gradients that is."""
    for value in code.tree.returns(backward):
        match value:
            case ast.Tuple(elts=elements) if not any(isinstance(e, ast.Starred) for e in elements):
                yield value, len(elements)
            case ast.BinOp(op=ast.Mult() | ast.Div(), left=left, right=right):
                if not isinstance(left, ast.Tuple) and not isinstance(right, ast.Tuple):
                    yield value, 1


def _surplus_is_none(value: ast.expr, wanted: int) -> bool:
    """Whether what is returned beyond the inputs is None, which autograd accepts."""
    surplus = value.elts[wanted:] if isinstance(value, ast.Tuple) else []
    return all(isinstance(each, ast.Constant) and each.value is None for each in surplus)
