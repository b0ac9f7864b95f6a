"""The Python code of a pickled `torch.fx.GraphModule`, which loading it executes.

Code as torch.fx writes it does nothing but call modules, operators and methods of tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from keng.ckpt.formats.operators import ATEN
from keng.ckpt.nodes import Dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HEADER = frozenset(
    """
NoneType = type(None)
from math import inf
from math import nan
from builtins import getattr as getattr
from torch import device
from torch import float16
from torch import float32
from torch import float64
import torch
import torch.fx._pytree as fx_pytree
import torch.utils._pytree as pytree
import math
import operator
""".splitlines()
)
LONGEST = 1 << 20
"""Characters of code that are read."""
PACKAGES = {
    "torch",
    "nn",
    "functional",
    "_C",
    "_nn",
    "special",
    "linalg",
    "fft",
    "ops",
    "aten",
    "Tensor",
}
FUNCTIONAL = frozenset(
    """
linear relu gelu silu softmax log_softmax dropout layer_norm batch_norm max_pool2d avg_pool2d interpolate pad
embedding normalize scaled_dot_product_attention shape tree_flatten_spec tree_unflatten device _assert
""".split()
)
"""Functions that are no operators, and of torch.fx's own packages."""
OWN = {"fx_pytree", "pytree"}
NODES = (
    *(
        ast.Module,
        ast.FunctionDef,
        ast.arguments,
        ast.arg,
        ast.Assign,
        ast.Return,
        ast.Expr,
        ast.Call,
    ),
    *(
        ast.Name,
        ast.Attribute,
        ast.Constant,
        ast.Tuple,
        ast.List,
        ast.Dict,
        ast.Subscript,
        ast.Slice,
    ),
    *(ast.BinOp, ast.UnaryOp, ast.Compare, ast.keyword, ast.Starred, ast.expr_context),
    *(ast.operator, ast.unaryop, ast.cmpop),
)


def only_computes(args: Any) -> bool:
    """Whether a call of `reduce_graph_module` has code as torch.fx writes it."""
    if not (isinstance(args, tuple) and len(args) == 2 and isinstance(args[0], Dict)):
        return False
    body, header = args
    codes = [value for key, value in body.pairs if key in ("_code", "code")]
    return (
        isinstance(header, str)
        and set(header.splitlines()) <= HEADER
        and len(codes) == 1
        and isinstance(codes[0], str)
        and len(codes[0]) <= LONGEST
        and _is_forward(codes[0])
    )


def _is_forward(code: str) -> bool:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    match tree.body:
        case [ast.FunctionDef(name="forward", decorator_list=[])]:
            return all(map(_is_plain, ast.walk(tree)))
    return False


def _is_plain(node: ast.AST) -> bool:
    """Whether code of torch.fx may have such a node."""
    if isinstance(node, ast.Attribute):
        return not node.attr.startswith("__") and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Name):
        return not node.id.startswith("__")
    return (
        _is_computation(node.func, node.args)
        if isinstance(node, ast.Call)
        else isinstance(node, NODES)
    )


def _is_computation(function: ast.expr, args: Sequence[ast.expr]) -> bool:
    match function:
        case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id="self"), ast.Constant(str())]):
            return True
        case ast.Name(id="getattr"):
            return _is_member(args)
        case ast.Name(id=name):
            return name in ("device", "slice")
        case ast.Attribute():
            return _is_method(_path(function))
    return False


def _is_member(args: Sequence[ast.expr]) -> bool:
    """The arguments of `getattr`, which torch.fx writes for what is no identifier."""
    match args:
        case [_, ast.Constant(str(name))]:
            return not name.startswith("__")
    return False


def _is_method(path: list[str]) -> bool:
    """A module below `self`, an operator of torch, or a method of a tensor."""
    first, last = path[0], path[-1]
    if first == "self" and len(path) > 1:
        return True
    if first in ("torch", *OWN):
        return set(path[:-1]) <= PACKAGES | OWN and last in ATEN | FUNCTIONAL
    return last in ATEN


def _path(function: ast.expr) -> list[str]:
    """Names between dots; of what is no name at its root, an empty one first."""
    names: list[str] = []
    while isinstance(function, ast.Attribute):
        names.insert(0, function.attr)
        function = function.value
    return [function.id if isinstance(function, ast.Name) else "", *names]
