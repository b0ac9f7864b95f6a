"""Source code: a mask hides the tokens instead of the padding."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import hugely_negative
from keng.rules import finds
from keng.source import Code
from keng.source.flow import ATTENTIVE
from keng.source.types.kinds import is_none

ATTENDS = "torch.nn.functional.scaled_dot_product_attention"
HIDES = (
    *(f"{each}key_padding_mask" for each in ("", "src_", "tgt_", "memory_")),
    *("masked_fill", "masked_fill_", ATTENDS),
)
"""What takes a mask."""
PADS = re.compile(r"(?:^|_)pad(?:_|$|ding)", re.IGNORECASE)
TOKENS = re.compile(r"(?:^|_)(?:ids?|tokens?|words?|src|tgt|seqs?|sequences?|inputs?|texts?)$")
LENGTHS = re.compile(r"len", re.IGNORECASE)
KEEPS_TRUTH = frozenset(
    "to bool long int float cuda unsqueeze view expand expand_as repeat reshape contiguous".split()
)
TURNED = {ast.NotEq: 1, ast.Eq: -1}
COUNTED = {ast.Lt: 1, ast.GtE: -1, ast.Gt: -1, ast.LtE: 1}


@finds(fixes=True, mentions=HIDES)
def words_are_hidden(code: Code) -> Hits:
    for mask, taker, hides in _masks_turned_round(code):
        text = code.text_of(mask)
        if hides:
            says = say("true-what-no-padding", taker=text, taker_2=taker)
        else:
            says = say("true-padding-what-takes", taker=text, taker_2=taker)
        fix = Fix(
            say("turn-mask-round"),
            (code.edits.replace(mask, f"~{code.edits.parenthesized(mask)}"),),
        )
        yield code.hit(mask, says, fix)


@finds
def padding_takes_part(code: Code) -> Hits:
    """`attention_mask=(ids == pad_token_id)` beside `input_ids`: to models of Transformers 1 is a token."""
    for keyword in code.tree.keywords_by_name.get("attention_mask", []):
        named = _beside_ids(code.tree.parent[keyword])
        if named and _true_where_real(code, keyword.value) < 0:
            text = code.text_of(keyword.value)
            says = say("true-padding-what-takes", taker=text, taker_2="attention_mask")
            yield code.hit(keyword.value, says)


@finds
def padded_with_ones(code: Code) -> Hits:
    """`mask + [1] * rest` where the tokens get `[pad] * rest`: lists that a collate function fills up."""
    text = code.tree.data.lower()
    if b"pad" not in text or b"mask" not in text:
        return
    for function in (*code.of(ast.FunctionDef), *code.of(ast.AsyncFunctionDef)):
        added = [op for op in code.below(function, ast.BinOp) if isinstance(op.op, ast.Add)]
        filled = [(op, *of) for op in added if (of := _filling(op.right)) is not None]
        for op, value, count in filled:
            others = {ast.unparse(v) for _, v, n in filled if ast.unparse(n) == ast.unparse(count)}
            mask = _filling(code.flow.assigned_value(op.left) or op.left)
            ones = _is_one(value) and mask is not None and _is_one(mask[0])
            named = "mask" in ast.unparse(op.left).lower()
            if ones and named and any(PADS.search(other) for other in others):
                says = say(
                    "ones-at-padding", mask=code.text_of(op.left), filling=code.text_of(op.right)
                )
                yield code.hit(op, says)


def _filling(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """What is repeated, and how often: `[pad] * rest`."""
    match node:
        case ast.BinOp(left=ast.List(elts=[value]), op=ast.Mult(), right=count):
            return value, count
    return None


def _is_one(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value == 1


def _masks_turned_round(code: Code) -> Iterator[tuple[ast.expr, str, bool]]:
    """Masks that hide what is no padding: the mask, what takes it, and whether that hides where it is
    True."""
    named = code.tree.keywords_by_name
    masks = [name for name in named if name is not None and name.endswith("key_padding_mask")]
    for keyword in (each for name in masks for each in named[name]):
        call = code.tree.parent[keyword]
        of_torch = isinstance(call, ast.Call) and code.types.value_of(call.func).dotted in ATTENTIVE
        if of_torch and _true_where_real(code, keyword.value) > 0:
            yield keyword.value, keyword.arg or "", True
    for call in code.calls.method_calls("masked_fill", "masked_fill_"):
        hides = len(call.args) == 2 and hugely_negative(code, call.args[1])
        if hides and _true_where_real(code, call.args[0]) > 0:
            yield call.args[0], code.calls.attribute_name(call.func), True
    for call in code.calls.calls_to(ATTENDS):
        mask = code.calls.argument(call, "attn_mask", 3)
        if mask is not None and _true_where_real(code, mask) < 0:
            yield mask, "scaled_dot_product_attention", False


def _beside_ids(call: ast.AST) -> bool:
    """Whether a call gives `input_ids` too, as models of Transformers take them: their mask is 1 for tokens."""
    return isinstance(call, ast.Call) and any(k.arg == "input_ids" for k in call.keywords)


def _true_where_real(code: Code, node: ast.expr | None, depth: int = 6) -> int:
    """1 where a mask is True for what is no padding, -1 where it is True for padding, 0 where that is not
    known."""
    match node:
        case ast.Name() if depth:
            found = code.flow.reaching_definitions(node)
            values = [b.value for b in found if not is_none(b.value)]
            plain = len(values) == 1 and all(b.how == "assign" and not b.path for b in found)
            return _true_where_real(code, values[0], depth - 1) if plain else 0
        case ast.UnaryOp(op=ast.Invert(), operand=inner):
            return -_true_where_real(code, inner, depth)
        case ast.Subscript(value=inner, slice=places) if _adds_dimensions(places):
            return _true_where_real(code, inner, depth)
        case ast.Call(func=ast.Attribute(attr=name, value=inner)) if name in KEEPS_TRUTH:
            return _true_where_real(code, inner, depth)
        case ast.Call(args=[given]) if code.calls.attribute_name(node.func) == "logical_not":
            return -_true_where_real(code, given, depth)
        case ast.Call(func=ast.Attribute(attr="ne", value=left), args=[right]):
            return _compared_with_padding(code, left, right)
        case ast.Call(func=ast.Attribute(attr="eq", value=left), args=[right]):
            return -_compared_with_padding(code, left, right)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            if type(op) in TURNED:
                return TURNED[type(op)] * _compared_with_padding(code, left, right)
            return COUNTED.get(type(op), 0) * _counted_to_length(code, left, right)
    return 0


def _compared_with_padding(code: Code, left: ast.expr, right: ast.expr) -> int:
    """1 where tokens are compared with what fills them up."""
    pads = PADS.search(_last_name(right)) is not None and "mask" not in ast.unparse(left)
    zero = isinstance(right, ast.Constant) and right.value == 0
    if zero and _last_name(left) == "attention_mask":  # 1 is a token, 0 is padding
        return 1
    return int(pads or (zero and TOKENS.search(_last_name(left)) is not None))


def _counted_to_length(code: Code, left: ast.expr, right: ast.expr) -> int:
    """1 where places are compared with lengths, -1 where lengths are with places."""
    for places, lengths, way in ((left, right, 1), (right, left, -1)):
        if _are_places(code, places) and LENGTHS.search(ast.unparse(lengths)):
            return way
    return 0


def _are_places(code: Code, node: ast.expr) -> bool:
    made = [code.flow.assigned_value(inner) or inner for inner in ast.walk(node)]
    calls = [each for each in made if isinstance(each, ast.Call)]
    return any(code.types.value_of(call).dotted == "torch.arange" for call in calls)


def _adds_dimensions(places: ast.expr) -> bool:
    """`[:, None]` and the like."""
    parts = places.elts if isinstance(places, ast.Tuple) else [places]
    whole = [isinstance(p, ast.Slice) and not (p.lower or p.upper or p.step) for p in parts]
    return all(
        all_ or (isinstance(p, ast.Constant) and p.value in (None, ...))
        for p, all_ in zip(parts, whole, strict=True)
    )


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
