"""Source code: a reversed NumPy array is given to torch."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, Safety, say
from keng.pitfalls.shape._shared import parts_of, runs_backwards
from keng.rules import finds
from keng.source import Code, Kind

REVERSING = frozenset(f"numpy.{name}" for name in ("flip", "fliplr", "flipud", "rot90"))
VIEWING_METHODS = frozenset({"transpose", "swapaxes", "squeeze"})
VIEWING_CALLS = frozenset(
    f"numpy.{name}" for name in ("transpose", "swapaxes", "moveaxis", "rollaxis", "expand_dims")
)
"""What gives a NumPy array another shape and leaves its memory as it is."""

TAKING = (
    "torch.from_numpy",
    "torch.tensor",
    "torch.as_tensor",
    "torch.Tensor",
    "torch.FloatTensor",
)


@finds(fixes=True, mentions=TAKING)
def reversed_array_given(code: Code) -> Hits:
    for call in code.calls.calls_to(*TAKING):
        given = code.calls.argument(call, "data", position=0)
        array = code.names.resolve(call.func) == "torch.from_numpy"
        reverse = _reversed_in(code, given, array) if given is not None else None
        if given is None or reverse is None:
            continue
        safety: Safety = "safe" if code.within(reverse, call) else "unsafe"
        fix = Fix(say("copy-new-order"), (code.edits.append(reverse, ".copy()"),), safety)
        text, line = code.text_of(reverse), code.tree.line_of(reverse)
        if line == code.tree.line_of(call):
            yield code.hit(call, say("stride-negative", text=text), fix)
        else:
            yield code.hit(call, say("stride-negative-above", text=text, line=line), fix)


def _reversed_in(
    code: Code, node: ast.expr | None, array: bool = False, depth: int = 8
) -> ast.expr | None:
    """What makes the memory of a NumPy array run backwards on some way to a value: `a[::-1]`,
    `np.flip(a)`, with no copy since. `array` where the value is known to be an array."""
    if depth == 0:
        return None
    match node:
        case ast.Name():
            return _reversed_before(code, node, array, depth)
        case ast.Subscript(value=inner, slice=index):
            if runs_backwards(index) and (array or _is_array(code, node)):
                return node
            return _reversed_in(code, inner, array, depth - 1) if _is_view(index) else None
        case ast.Attribute(attr="T", value=inner):
            return _reversed_in(code, inner, array, depth - 1)
        case ast.Call():
            return _reversed_by(code, node, array, depth)
    return None


def _reversed_before(code: Code, name: ast.Name, array: bool, depth: int) -> ast.expr | None:
    for binding in code.flow.reaching_definitions(name):
        whole = binding.how == "assign" and binding.value is not None and not binding.path
        found = _reversed_in(code, binding.value, array, depth - 1) if whole else None
        if found is not None:
            return found
    return None


def _reversed_by(code: Code, call: ast.Call, array: bool, depth: int) -> ast.expr | None:
    dotted = code.names.resolve(call.func)
    if dotted in REVERSING:
        return call if _turns(code, call, dotted) else None
    if dotted in VIEWING_CALLS and call.args:
        return _reversed_in(code, call.args[0], True, depth - 1)
    if isinstance(call.func, ast.Attribute) and call.func.attr in VIEWING_METHODS:
        return _reversed_in(code, call.func.value, array, depth - 1)
    return None


def _turns(code: Code, call: ast.Call, dotted: str) -> bool:
    """Whether a call of `np.rot90` is not known to leave its array as it was."""
    turns = code.calls.argument(call, "k", 1) if dotted == "numpy.rot90" else None
    return not isinstance(turns, ast.Constant) or turns.value not in (0, 4)


def _is_array(code: Code, node: ast.Subscript) -> bool:
    """A list takes no tuple for an index, and a tensor no negative step."""
    return isinstance(node.slice, ast.Tuple) or code.types.kind_of(node.value) is Kind.ARRAY


def _is_view(index: ast.expr) -> bool:
    """Whether an index leaves the order of the dimensions that it keeps: slices, `...`, None, numbers."""
    return all(isinstance(part, (ast.Slice, ast.Constant)) for part in parts_of(index))
