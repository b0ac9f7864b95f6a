"""The two operands of the failing line of which a message says in what they differ."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isqrt
from typing import NamedTuple

from keng._util.texts import sentence
from keng.explain.operands.calls import OperatorCall
from keng.explain.reasons.origins import short
from keng.model import Message

SIZES = re.compile(
    r"\((?P<a>\d{1,9})\)\D{1,60}\((?P<b>\d{1,9})\)\D{1,40}dimension (?P<dim>\d{1,2})"
)
DEVICE = re.compile(r"\b(?:cuda(?::\d{1,3})?|cpu|mps(?::\d)?|xpu(?::\d)?)\b(?!\w|_)")
DTYPE = re.compile(r"\b(?:BFloat16|Half|Float|Double|Long|Int|Bool|float|double|bfloat16)\b")
JOINED = re.compile(
    r"[Ss]izes of tensors\D{1,40}\d+\. "
    r"(?:Expected size (?P<a>\d{1,9})\D{1,20}(?P<b>\d{1,9})\D{1,20}(?P<n>\d{1,3})"
    r"|Got (?P<c>\d{1,9}) and (?P<d>\d{1,9}) (?:in dimension \d|\(The offending index is (?P<m>\d)\)))"
)
"""Of `cat`: the number of the tensor that differs is the last one."""

OF_TWO = {
    **dict.fromkeys(
        ("add", "sub", "mul", "div", "eq", "ne", "lt", "gt", "le", "ge", "dot"), "other"
    ),
    **dict.fromkeys(("mm", "bmm"), "mat2"),
    "matmul": "other",
    "mv": "vec",
    "copy_": "src",
}
"""Operators of two tensors -> what they call the second one."""

ACTS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)
SMALLEST_MAP = 4
POSITIONS = re.compile(
    r"(?:^|[._])(?:pos|position|positional|pe|wpe)(?:[._\[]|$)|pos_?emb", re.IGNORECASE
)
LABELS = re.compile(r"(?:targets?|labels?|masks?|gts?|y_true|ground_truth)\b", re.IGNORECASE)


class Pair(NamedTuple):
    """The left and the right operand as the user wrote them, and whether they are multiplied as matrices."""

    left: str
    right: str
    matrices: bool = False


def operands_apart(
    message: str, nodes: Sequence[ast.AST], calls: Sequence[OperatorCall]
) -> Message | None:
    """What the two operands of the only operation among the nodes differ in."""
    joined = JOINED.search(message)
    if joined is not None:
        return _joined(joined, calls)
    pairs = {*_pairs(nodes, calls)}
    if len(pairs) != 1:
        return None
    pair = pairs.pop()
    sizes = SIZES.search(message)
    if sizes is not None and not pair.matrices:
        return _sized(pair, int(sizes["a"]), int(sizes["b"]), int(sizes["dim"]))
    names = {"left": pair.left, "right": pair.right}
    if len({*DEVICE.findall(message)}) == 2:
        return sentence("operands_on_devices", **names)
    return sentence("operands_of_dtypes", **names) if len({*DTYPE.findall(message)}) == 2 else None


def _pairs(nodes: Iterable[ast.AST], calls: Iterable[OperatorCall]) -> Iterator[Pair]:
    for node in nodes:
        match node:
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ACTS):
                yield from _pair(left, right, isinstance(op, ast.MatMult))
            case ast.AugAssign(target=left, op=op, value=right) if isinstance(op, ACTS):
                yield from _pair(left, right, isinstance(op, ast.MatMult))
            case ast.Compare(left=left, comparators=[right]):
                yield from _pair(left, right)
    for call in calls:
        second = OF_TWO.get(call.name.removesuffix("_"), OF_TWO.get(call.name))
        given = call.arguments()
        if second in given and "input" in given:
            yield from _pair(given["input"], given[second], call.name in ("mm", "bmm", "matmul"))


def _pair(left: ast.expr, right: ast.expr, matrices: bool = False) -> Iterator[Pair]:
    if not any(_is_number(each) for each in (left, right)):
        yield Pair(short(left), short(right), matrices)


def _is_number(node: ast.expr) -> bool:
    """A literal, a length or a number taken out of a tensor, which fits everything."""
    match node:
        case ast.Constant() | ast.JoinedStr():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.Call(func=ast.Name(id="len" | "float" | "int" | "max" | "min" | "range")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math" | "time" | "os"))):
            return True
        case ast.Call(
            func=ast.Attribute(attr="item" | "size" | "numel" | "dim" | "get_world_size")
        ):
            return True
    return False


def _sized(pair: Pair, left: int, right: int, dim: int) -> Message:
    values = {"left": pair.left, "right": pair.right, "a": left, "b": right, "dim": dim}
    swapped = {"left": pair.right, "right": pair.left, "a": right, "b": left, "dim": dim}
    if 0 in (left, right):
        return sentence("operands_empty", name=pair.left if left == 0 else pair.right, dim=dim)
    if dim >= 2 and _is_rounded(left, right):
        return sentence("operands_rounded", **values)
    for each in (values, swapped):
        if POSITIONS.search(str(each["right"])) and dim in (0, 1):
            return _positions(each)
        if LABELS.match(str(each["left"])) and dim == 1 and each["a"] in (3, 4):
            return sentence("operands_coloured", **each)
        if _is_held(str(each["right"])) and not _is_held(str(each["left"])):
            return sentence("operands_built_for", **each)
    return sentence("operands_of_sizes", **values)


def _is_held(text: str) -> bool:
    """`self.mean`, `self.stats["mean"]`: not the result of a call."""
    return re.match(r"self(?:\.\w+)+(?:\[|$)", text) is not None


def _positions(values: Mapping[str, object]) -> Message:
    """A table of positions; one of images mostly has a square of patches and a class token."""
    made_for = values["b"]
    side = isqrt(max(made_for - 1, 0)) if isinstance(made_for, int) else 0
    if side >= 4 and side * side + 1 == made_for:
        return sentence("operands_patches", **values, side=side)
    return sentence("operands_positions", **values)


def _is_rounded(one: int, other: int) -> bool:
    """Whether a stride can have rounded one of two sizes of maps: they are one apart, or one is the multiple
    next to the other."""
    small, large = sorted((one, other))
    if large - small == 1:
        return small >= SMALLEST_MAP
    strides = (2**n for n in range(2, 8))
    return any(
        (small % each == 0) != (large % each == 0) and large - small < each and small >= 2 * each
        for each in strides
    )


def _joined(found: re.Match[str], calls: Sequence[OperatorCall]) -> Message | None:
    """Of a `cat` whose tensors the user's line lists."""
    lists = [c.listed for c in calls if c.name in ("cat", "concat", "concatenate", "stack")]
    if len(lists) != 1:
        return None
    there = [each for each in lists[0] if not isinstance(each, ast.Starred | ast.Constant)]
    place = int(found["n"] or found["m"] or 1)
    if len(there) < 2 or place >= len(there):
        return None
    a, b = int(found["a"] or found["c"]), int(found["b"] or found["d"])
    values = {"left": short(there[0]), "right": short(there[place]), "a": a, "b": b}
    if values["left"] == values["right"]:
        return None
    by_one = abs(a - b) == 1 and min(a, b) >= SMALLEST_MAP
    return sentence("operands_joined_by_one" if by_one else "operands_joined", **values)
