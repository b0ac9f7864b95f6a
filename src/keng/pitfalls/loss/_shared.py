"""What several pitfalls of loss ask of source code."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix
from keng.source import Code, Kind
from keng.source.code import once_per_file
from keng.source.types.kinds import MODULES

HUGE = 1e3
OF_SCORES = [
    f"torch.nn.{name}"
    for name in (
        *("CrossEntropyLoss", "functional.cross_entropy", "NLLLoss", "functional.nll_loss"),
        *("BCEWithLogitsLoss", "functional.binary_cross_entropy_with_logits"),
    )
]
KEEPS = frozenset(
    "to cuda cpu float long int double squeeze unsqueeze view reshape flatten".split()
)
"""Methods that leave a label a label and an output an output."""
TURNING = (ast.Add, ast.Sub)


def logarithms(code: Code) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The calls of `log` on tensors, and what the logarithm is taken of."""
    for call in code.calls.calls_to("torch.log"):
        if call.args:
            yield call, call.args[0]
    for call in code.calls.method_calls("log"):
        receiver = code.tree.receiver(call)
        if not call.args and code.types.kind_of(receiver) is Kind.TENSOR:
            yield call, receiver


def unwrap_call(code: Code, call: ast.Call | None, title: str) -> Fix | None:
    """A fix that puts the input of an operation in its place; a layer in a Sequential becomes an
    Identity, so that the others keep their names. None where it stands in another file."""
    if call is None or call not in code.tree.parent:
        return None
    layer = code.names.resolve(call.func)
    if layer.startswith("torch.nn.") and not layer.startswith("torch.nn.functional."):
        identity = code.edits.qualified_name("torch.nn.Identity", call)
        return Fix(title, (code.edits.replace(call, f"{identity}()"),)) if identity else None
    given = code.calls.argument(call, "input", position=0)
    method = (
        isinstance(call.func, ast.Attribute)
        and not layer
        and code.types.kind_of(call.func) is Kind.UNKNOWN
    )
    if method and isinstance(call.func, ast.Attribute):
        given = call.func.value
    return (
        Fix(title, (code.edits.replace(call, code.text_of(given)),)) if given is not None else None
    )


def functional_call(code: Code, call: ast.Call, function: str) -> str | None:
    """A call of a function of torch.nn.functional on the same arguments; None where that cannot be
    written in this file, where the call is in another, or is that of a module, whose arguments
    are reported where it is made."""
    if call not in code.tree.parent or code.types.kind_of(call.func) in MODULES:
        return None
    method = isinstance(call.func, ast.Attribute) and not code.names.resolve(call.func)
    name = code.edits.qualified_name(f"torch.nn.functional.{function}", call)
    given = code.tree.data[code.tree.bounds(call.func)[1] : code.tree.bounds(call)[1]].decode()
    if isinstance(call.func, ast.Attribute) and (method or function == "log_softmax"):
        owner = code.text_of(call.func.value)
        if function == "log_softmax":
            return f"{owner}.{function}{given}"
        return f"{name}({owner})" if name and given == "()" else None
    return f"{name}{given}" if name else None


def hugely_negative(code: Code, value: ast.expr) -> bool:
    match value:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=float() | int() as number)):
            return number >= HUGE
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return code.names.resolve(inner) in ("torch.inf", "math.inf", "numpy.inf")
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))]):
            return text.lower() in ("-inf", "-infinity")
    return False


def _part_of_batch(code: Code, node: ast.expr, depth: int = 6) -> int | None:
    """Which of the two parts of a batch of a loader a value is."""
    node = unconverted(node)
    found = code.flow.reaching_definitions(node) if isinstance(node, ast.Name) and depth else []
    binding = found[0] if len(found) == 1 else None
    if binding is None or binding.value is None or not binding.path:
        whole = binding.value if binding is not None and binding.how == "assign" else None
        return _part_of_batch(code, whole, depth - 1) if whole is not None else None
    if binding.how == "assign" and isinstance(binding.value, ast.Tuple):
        return _part_of_batch(code, binding.value.elts[binding.path[0]], depth - 1)
    taken = binding.how == "for" or _is_whole_batch(code, binding.value)
    if not taken or (
        binding.how == "for" and not _gives_batches(code, binding.value, binding.path[:-1])
    ):
        return None
    both = code.tree.parent[binding.node]
    return binding.path[-1] if isinstance(both, ast.Tuple) and len(both.elts) == 2 else None


def _is_whole_batch(code: Code, node: ast.expr) -> bool:
    found = code.flow.reaching_definitions(node) if isinstance(node, ast.Name) else []
    return (
        len(found) == 1
        and found[0].how == "for"
        and _gives_batches(code, found[0].value, found[0].path)
    )


def _gives_batches(code: Code, through: ast.expr | None, path: tuple[int, ...]) -> bool:
    """Whether a loop goes through a loader and has the batch at this place of what it gets."""
    counted = False
    while (
        isinstance(through, ast.Call)
        and code.types.kind_of(through) is not Kind.LOADER
        and through.args
    ):
        name = code.calls.attribute_name(through.func)
        if name == "zip":
            return False
        counted, through = counted or name == "enumerate", through.args[0]
    return code.types.kind_of(through) is Kind.LOADER and path == ((1,) if counted else ())


def is_label(code: Code, node: ast.expr) -> bool:
    return _part_of_batch(code, node) == 1


def output_for_batch(code: Code, node: ast.expr) -> ast.expr | None:
    """The model of which a value is the output for the first part of a batch."""
    made = code.flow.assigned_value(node) if isinstance(node, ast.Name) else node
    made = unconverted(made) if made is not None else None
    if not isinstance(made, ast.Call) or not made.args:
        return None
    known = code.types.kind_of(made.func) is Kind.MODULE and _part_of_batch(code, made.args[0]) == 0
    return made.func if known else None


@once_per_file
def divergences(code: Code) -> list[ast.expr]:
    """What is said of each element in the divergences of the file."""
    found: list[ast.expr] = []
    for call in code.calls.calls_named("exp"):
        whole: ast.expr = call
        while isinstance(above := code.tree.parent[whole], (ast.BinOp, ast.UnaryOp)):
            if isinstance(above, ast.BinOp) and not isinstance(above.op, TURNING):
                break
            whole = above
        found += [whole] if pointwise_sign(code, whole) else []
    return found


def power_of(code: Code, call: ast.expr) -> ast.expr | None:
    """`x` of `torch.exp(x)` or `x.exp()`."""
    if not isinstance(call, ast.Call) or code.calls.attribute_name(call.func) != "exp":
        return None
    if code.names.resolve(call.func) == "torch.exp":
        return call.args[0] if call.args else None
    method = isinstance(call.func, ast.Attribute) and not code.names.resolve(call.func)
    return code.tree.receiver(call) if method and not call.args else None


def pointwise_sign(code: Code, inner: ast.expr) -> int:
    """-1 for `1 + logvar - mu ** 2 - exp(logvar)`, 1 for its opposite."""
    terms = list(signed_terms(inner, 1))
    raised = [(power_of(code, term), sign) for term, sign in terms]
    powers = [(given, sign) for given, sign in raised if given is not None]
    if len(terms) != 4 or len(powers) != 1 or powers[0][0] is None:
        return 0
    given, way = powers[0]
    plain = [sign for t, sign in terms if ast.unparse(t) == ast.unparse(given)]
    ones = [sign for t, sign in terms if isinstance(t, ast.Constant) and t.value == 1]
    squares = [sign for t, sign in terms if _is_square(t)]
    return way if plain == ones == [-way] and squares == [way] else 0


def unconverted(node: ast.expr) -> ast.expr:
    """A value before it was brought to another device, dtype or shape by its methods."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr not in KEEPS:
            break
        node = node.func.value
    return node


def signed_terms(node: ast.expr, sign: int) -> Iterator[tuple[ast.expr, int]]:
    """The terms of a sum, each with its sign."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub() as op, left=left, right=right):
            yield from signed_terms(left, sign)
            yield from signed_terms(right, sign if isinstance(op, ast.Add) else -sign)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            yield from signed_terms(inner, -sign)
        case _:
            yield node, sign


def _is_square(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=2)):
            return True
        case ast.Call(func=ast.Attribute(attr="pow"), args=[*_, ast.Constant(value=2)]):
            return True
        case ast.Call(func=ast.Attribute(attr="square")):
            return True
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return ast.unparse(left) == ast.unparse(right)
    return False
