"""What several pitfalls of autograd ask of source code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from keng.source import Act, Code, Definition, Kind, Loop, Value
from keng.source.graph import DETACHES
from keng.source.names import Binding
from keng.source.tree import LOOPS
from keng.source.types.kinds import MODULES

DETACHING_CALLS = frozenset({"builtins.float", "builtins.int", "builtins.len", "builtins.str"})
ENDING_METHODS = frozenset(
    ["item", "detach", "tolist", "numpy", "argmax", "argmin", "argsort", "long", "int", "bool"]
)
"""Methods of a tensor that autograd does not follow."""
ENDING_CALLS = frozenset(
    [
        *("builtins.float", "builtins.int", "torch.tensor", "torch.argmax", "torch.argmin"),
        *("torch.from_numpy", "torch.autograd.Variable", "torch.argsort"),
    ]
)
COPYING = frozenset(
    [
        *("cuda", "double", "half", "bfloat16", "clone", "mul", "div", "add", "view", "t"),
        *("transpose", "permute", "reshape", "squeeze", "unsqueeze", "expand", "repeat"),
    ]
)
"""Methods of a tensor that make another one of it, recorded."""
RECURRENT = frozenset(
    {f"torch.nn.{kind}{cell}" for kind in ("RNN", "GRU", "LSTM") for cell in ("", "Cell")}
)
FUNCTION = "torch.autograd.Function"


def names_with_grad(code: Code, node: ast.expr) -> Iterator[ast.Name]:
    """The names in an expression whose graph the result keeps: those under no `.item()`,
    `.detach()`, `float()` and the like."""
    for name in [n for n in ast.walk(node) if isinstance(n, ast.Name)]:
        if not _detached(code, name, node):
            yield name


def _detached(code: Code, name: ast.Name, top: ast.expr) -> bool:
    child: ast.AST = name
    for above in code.tree.ancestors(name) if name is not top else ():
        if isinstance(above, ast.Attribute) and above.attr in DETACHES | {"data", "shape"}:
            return True
        given = isinstance(above, ast.Call) and child is not above.func
        if given and not _differentiable(code, cast(ast.Call, above)):
            return True
        if isinstance(above, (ast.Subscript, ast.Compare, ast.JoinedStr, ast.Lambda)):
            return True
        if above is top:
            break
        child = above
    return False


def _differentiable(code: Code, call: ast.Call) -> bool:
    """Whether what a call gives is known to keep the graph of its arguments."""
    return (
        code.types.kind_of(call) is Kind.TENSOR
        and code.names.resolve(call.func) not in DETACHING_CALLS
    )


def losses_of_line(code: Code, line: int) -> list[ast.Name]:
    """The losses whose backward is called on a line."""
    calls = [c for c in code.tree.on_line(line, ast.Call) if code.loops.act_of(c) is Act.BACKWARD]
    return [name for call in calls for name in code.graph.backward_losses(call)]


def graph_ends(code: Code, node: ast.expr) -> list[ast.expr]:
    """What ends the graph on every way to a value: an operation that autograd does not follow;
    nothing where a way leads to a module or parameter without one."""
    ways = list(graph_paths(code, node, 12))
    ends = [_first_end(code, end) for followed, end in ways if not followed]
    return ends if len(ends) == len(ways) else []


def _first_end(code: Code, end: ast.expr) -> ast.expr:
    """Of several ends one behind the other, the one that comes first in the run."""
    at: ast.expr | None = end
    for _ in range(12):
        at = _first_operand(code, at)
        if at is None or code.types.kind_of(getattr(at, "func", None)) is Kind.MODULE:
            break
        end = at if ends_graph(code, at) else end
    return end


def _first_operand(code: Code, node: ast.expr | None) -> ast.expr | None:
    match node:
        case ast.Name():
            found = [
                b.value
                for b in code.flow.reaching_definitions(node)
                if b.how == "assign" and not b.path
            ]
            return found[0] if len(found) == 1 else None
        case ast.Call(func=ast.Attribute(value=receiver)) if not code.names.resolve(node.func):
            return receiver
        case ast.Call():
            return node.args[0] if node.args else None
        case ast.Attribute(value=inner) | ast.Subscript(value=inner):
            return inner
        case ast.BinOp(left=inner) | ast.Compare(left=inner):
            return inner
    return None


def graph_paths(code: Code, node: ast.expr, depth: int) -> Iterator[tuple[bool, ast.expr]]:
    """The ends of the ways back from a value; True where one ends at what may learn."""
    if isinstance(node, ast.Name) and depth:
        for binding in code.flow.reaching_definitions(node):
            if binding.how in ("assign", "augment") and binding.value is not None:
                yield from graph_paths(code, binding.value, depth - 1)
    elif ends_graph(code, node):
        yield False, node
    elif isinstance(node, ast.Call):
        if code.types.kind_of(node.func) is Kind.MODULE or code.graph.makes_leaf_with_grad(node):
            yield True, node
        inner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        for part in (*inner, *node.args, *(k.value for k in node.keywords)):
            yield from graph_paths(code, part, depth)
    elif isinstance(node, ast.Attribute) and code.classes.self_class(node.value) is not None:
        yield True, node
    else:
        for part in [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]:
            yield from graph_paths(code, part, depth)


def ends_graph(code: Code, node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        method = isinstance(node.func, ast.Attribute) and node.func.attr in ENDING_METHODS
        return method or code.names.resolve(node.func) in ENDING_CALLS
    data = isinstance(node, ast.Attribute) and node.attr == "data"
    return data or isinstance(node, (ast.Compare, ast.Lambda))


def computed_from_leaf(code: Code, value: ast.expr) -> bool:
    """Whether an expression makes a leaf that gathers gradients and computes something from it."""
    if isinstance(value, ast.BinOp):
        sides = (value.left, value.right)
        return any(code.graph.makes_leaf_with_grad(s) or computed_from_leaf(code, s) for s in sides)
    if isinstance(value, ast.UnaryOp):
        return code.graph.makes_leaf_with_grad(value.operand)
    match value:
        case ast.Call(func=ast.Attribute(attr="to", value=inner), args=[where, *_]):
            return code.devices.may_be_cuda(where) and code.graph.makes_leaf_with_grad(inner)
        case ast.Call(func=ast.Attribute(attr=method, value=inner)) if method in COPYING:
            return code.graph.makes_leaf_with_grad(inner) or computed_from_leaf(code, inner)
        case ast.Attribute(attr="T" | "mT", value=inner):
            return code.graph.makes_leaf_with_grad(inner) or computed_from_leaf(code, inner)
    return False


def retains(code: Code, call: ast.Call) -> bool:
    """Whether a backward may leave its graph for another."""
    return any(k.arg in ("retain_graph", "create_graph", None) for k in call.keywords) or (
        len(call.args) > 1
    )


def made_from(code: Code, name: ast.Name, depth: int) -> Iterator[tuple[Binding, ast.Name]]:
    """What a value was computed from with its graph: where each name was set, and its use."""
    found = code.flow.reaching_definitions(name)
    if len(found) != 1 or found[0].how != "assign" or found[0].path:
        return
    yield found[0], name
    for inner in names_with_grad(code, found[0].value) if depth and found[0].value else ():
        if isinstance(inner.ctx, ast.Load) and inner.id != name.id:
            yield from made_from(code, inner, depth - 1)


def recurrent_states(code: Code, loop: Loop) -> Iterator[tuple[ast.Call, ast.Name, bool]]:
    """A module's output that a training loop gives back to the module in its next round with the
    graph behind it: `out, hidden = rnn(x, hidden)`. True where the module's text is known, and
    does not cut the graph by itself."""
    for call in code.below(loop.node, ast.Call):
        statement = code.statement(call)
        if not isinstance(statement, ast.Assign) or statement.value is not call:
            continue
        if code.around(call, *LOOPS) is not loop.node or not _keeps_state(code, call):
            continue
        stored = {n.id for t in statement.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        for name in [a for a in call.args if isinstance(a, ast.Name) and a.id in stored]:
            if not is_reassigned(code, name, statement, loop):
                yield call, name, code.types.value_of(call.func) != Value(Kind.MODULE)


def _keeps_state(code: Code, call: ast.Call) -> bool:
    """Whether what is called is a module that does not detach by itself, as far as is known."""
    module = code.types.value_of(call.func)
    if module.kind is not Kind.MODULE:
        return False
    if module.definition is None:
        return not module.dotted or module.dotted in RECURRENT
    return not detaches(code, module.definition)


def detaches(code: Code, module: Definition) -> bool:
    """Whether a class frees something of its graph somewhere."""
    inside = module.tree.descendants(module.node, ast.Attribute)
    return any(each.attr.startswith(("detach", "data")) for each in inside)


def is_reassigned(code: Code, name: ast.Name, by: ast.stmt, loop: Loop) -> bool:
    """Whether a loop gives a name another value than a statement does, or frees it of its graph."""
    inside = [b for b in code.names.bindings(name) if code.within(b.node, loop.node)]
    if any(code.statement(b.node) is not by for b in inside):
        return True
    uses = [n for n in code.below(loop.node, ast.Name) if n.id == name.id]
    texts = [ast.unparse(code.tree.parent[n]) for n in uses]
    return any(word in text for text in texts for word in ("detach", "repackage", ".data"))


def steps_called(code: Code) -> list[ast.Call]:
    """The calls of the file that step an optimizer, no scheduler or environment."""
    return [c for c in code.calls.method_calls("step") if code.loops.act_of(c) is Act.STEP]


def registered_by_assignment(code: Code, value: ast.expr) -> bool:
    """Whether a module registers a value when it is put on `self`: a module or a Parameter."""
    if not isinstance(value, ast.Call):
        return False
    parameter = code.names.resolve(value.func) in ("torch.nn.Parameter", "torch.nn.Buffer")
    return parameter or code.types.kind_of(value) in MODULES


def computed(code: Code, value: ast.expr) -> bool:
    """Whether a value, no leaf itself, is computed from something that learns."""
    if code.graph.makes_leaf_with_grad(value) or isinstance(value, (ast.Attribute, ast.Name)):
        return False
    return any(followed for followed, _ in graph_paths(code, value, 12))


def through_layer(code: Code, value: ast.expr) -> bool:
    """Whether a value is computed from what a layer gives or from a leaf that learns."""
    ends = [end for followed, end in graph_paths(code, value, 12) if followed]
    return computed(code, value) and any(isinstance(end, ast.Call) for end in ends)
