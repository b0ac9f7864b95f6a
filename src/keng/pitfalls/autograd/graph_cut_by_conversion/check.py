"""Source code: a number that is to be learned becomes a constant on its way through forward."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from itertools import chain

from keng.model import Hits, say
from keng.pitfalls.autograd._shared import through_layer
from keng.pitfalls.autograd._shared_flow import CONVERTED, steps_on_nothing
from keng.rules import finds
from keng.source import Code, Grad, Kind
from keng.source.classes import Given

NUMBERS = frozenset({"item", "numpy", "tolist"})
PLAIN = NUMBERS | {
    "data",
    "grad",
    "shape",
    "size",
    "device",
    "dtype",
    "dim",
    "ndim",
    "numel",
    "requires_grad",
}
"""What is asked of a Parameter without a graph."""
TELLS = (ast.Compare, ast.JoinedStr, ast.Subscript, ast.Assert, ast.Raise)
"""Where a number is checked, shown or counted with, and computed with no more."""


@finds(mentions=["torch.nn.Parameter"])
def constant_in_forward(code: Code) -> Hits:
    for cut, parameter in _parameters_cut(code):
        if _enters_a_result(code, cut) and code.modes.grad_at(cut) is not Grad.OFF:
            says = say(
                "gets-no-gradient-what",
                parameter=code.text_of(parameter),
                cut=code.text_of(cut),
            )
            yield code.hit(cut, says)


@finds(mentions=["torch.tensor"])
def outputs_copied_into_a_tensor(code: Code) -> Hits:
    for made in _outputs_copied(code):
        if code.modes.grad_at(made) is not Grad.OFF:
            yield code.hit(made, say("new-tensor-without-graphs"))


@finds(mentions=["backward"])
def trained_on_converted(code: Code) -> Hits:
    """An optimizer whose losses all come from outputs turned into numbers, arrays or new tensors."""
    yield from steps_on_nothing(
        code, CONVERTED, chain(constant_in_forward(code), outputs_copied_into_a_tensor(code))
    )


def _parameters_cut(code: Code) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What turns a Parameter of a module into a plain value in its forward: `self.scale.item()`,
    `float(self.scale)`, `self.scale.data`; with the Parameter."""
    for owner in code.of(ast.ClassDef) if _makes_parameters(code) else ():
        for name, given in code.classes.attributes(owner).items():
            if not _is_parameter(code, given):
                continue
            reads = [
                read
                for read in code.tree.attributes_by_name[name]
                if isinstance(read.ctx, ast.Load)
                and code.classes.self_class(read.value) is owner
                and code.graph.in_forward(read)
            ]
            cuts = {read: cut for read in reads if (cut := _plain(code, read))}
            if all(read in cuts or not _keeps_graph(code, read) for read in reads):
                yield from ((cut, read) for read, cut in cuts.items())


def _makes_parameters(code: Code) -> bool:
    return next(code.calls.calls_to("torch.nn.Parameter"), None) is not None


def _is_parameter(code: Code, given: Given) -> bool:
    """Whether an attribute is a Parameter that is to be trained."""
    return any(
        code.names.resolve(value.func) == "torch.nn.Parameter"
        and not code.flow.is_constant(code.calls.argument(value, "requires_grad", 1), False)
        for value, path in given
        if isinstance(value, ast.Call) and not path
    )


def _keeps_graph(code: Code, parameter: ast.Attribute) -> bool:
    """Whether a read of a Parameter is computed with as it is, so that its gradient arrives this way."""
    above = code.tree.parent[parameter]
    if isinstance(above, ast.Attribute):
        called = code.tree.parent[above]
        return above.attr not in PLAIN and isinstance(called, (ast.Call, ast.BinOp))
    return not isinstance(above, (*TELLS, ast.If, ast.IfExp, ast.BoolOp, ast.UnaryOp, ast.Expr))


def _plain(code: Code, parameter: ast.Attribute) -> ast.expr | None:
    """The expression around a parameter that is its plain value."""
    above = code.tree.parent[parameter]
    call = code.tree.parent.get(above)
    match above:
        case ast.Attribute(attr="data"):
            said = isinstance(call, ast.Attribute) and call.attr == "detach"
            return None if said else above
        case ast.Attribute(attr=method) if method in NUMBERS and isinstance(call, ast.Call):
            return call if call.func is above else None
        case ast.Call() if code.names.resolve(above.func) == "builtins.float":
            return above
    return None


def _enters_a_result(code: Code, node: ast.expr, depth: int = 2) -> bool:
    """Whether a value is computed with, in training too: in arithmetic or as an argument, by itself
    or under the name that it is given."""
    if code.modes.guarded_by_training_flag(node) or not depth:
        return False
    above = code.tree.parent[node]
    if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
        stored = above.targets[0]
        uses = [n for n in code.of(ast.Name) if _gets(code, n, stored)]
        return any(_enters_a_result(code, use, depth - 1) for use in uses)
    computed = False
    for above in code.tree.ancestors(node):
        if isinstance(above, TELLS):
            return False
        computed |= isinstance(above, (ast.BinOp, ast.UnaryOp, ast.Call))
        if isinstance(above, ast.stmt):
            return computed and isinstance(above, (ast.Return, ast.Assign, ast.AugAssign))
    return False


def _gets(code: Code, name: ast.Name, stored: ast.Name) -> bool:
    same = name.id == stored.id and isinstance(name.ctx, ast.Load)
    return same and stored in [binding.node for binding in code.flow.reaching_definitions(name)]


def _outputs_copied(code: Code) -> Iterator[ast.Call]:
    """The calls of torch.tensor, in forwards, on what layers have given."""
    for call in filter(code.graph.in_forward, code.calls.calls_to("torch.tensor")):
        given = call.args[:1]
        parts = given[0].elts if given and isinstance(given[0], ast.List) else given
        tensors = [part for part in parts if code.types.kind_of(part) is Kind.TENSOR]
        if any(map(partial(through_layer, code), tensors)):
            yield call
