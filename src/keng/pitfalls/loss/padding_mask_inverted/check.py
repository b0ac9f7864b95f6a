"""Source code: a mask hides the tokens instead of the padding."""

from __future__ import annotations

import ast
import re

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.masks import ATTENDS, PADS, Taken

HIDES = (
    *(f"{each}key_padding_mask" for each in ("", "src_", "tgt_", "memory_")),
    *("masked_fill", "masked_fill_", "where", ATTENDS),
)
"""What takes a mask."""
NOT_PADDING = re.compile(r"(?:^|_)(?:non?|not|un)_?pad", re.IGNORECASE)
"""How masks are named that are to be True for tokens."""
OF_MODELS = ("input_ids", "token_type_ids", "decoder_input_ids")


@finds(fixes=True, mentions=HIDES)
def words_are_hidden(code: Code) -> Hits:
    for taken in code.masks.taken():
        if _is_inverted(code, taken):
            fix = Fix(
                say("turn-mask-round"),
                (code.edits.replace(taken.mask, f"~{code.edits.parenthesized(taken.mask)}"),),
            )
            yield code.hit(taken.mask, _says(code, taken), fix)


@finds(mentions=["mask"])
def words_are_hidden_elsewhere(code: Code) -> Hits:
    """A function or module of the project hides what a mask is True for, or keeps only that."""
    for taken in code.masks.taken_by_functions():
        if _is_inverted(code, taken):
            yield code.hit(taken.mask, _says(code, taken))


def _is_inverted(code: Code, taken: Taken) -> bool:
    truth = code.masks.truth(taken.mask)
    return truth is not None and truth.shift is None and truth.keeps != taken.keeps


def _says(code: Code, taken: Taken) -> str:
    text = code.text_of(taken.mask)
    if taken.keeps < 0:
        return say("true-what-no-padding", taker=text, taker_2=taken.taker)
    return say("true-padding-what-takes", taker=text, taker_2=taken.taker)


@finds(mentions=["attention_mask"])
def padding_takes_part(code: Code) -> Hits:
    """`attention_mask=(ids == pad_token_id)` with `input_ids`: to models of Transformers 1 is a token."""
    for keyword in code.tree.keywords_by_name.get("attention_mask", []):
        named = _beside_ids(code.tree.parent[keyword])
        truth = code.masks.truth(keyword.value) if named else None
        if truth is not None and truth.shift is None and truth.keeps < 0:
            text = code.text_of(keyword.value)
            says = say("true-padding-what-takes", taker=text, taker_2="attention_mask")
            yield code.hit(keyword.value, says)


@finds
def named_for_the_opposite(code: Code) -> Hits:
    """`mask_non_pad = labels == pad`, or `tgt_mask = tgt == pad` where `src_mask = src != pad`."""
    text = code.tree.data.lower()
    if b"pad" not in text or b"mask" not in text:
        return
    made = [(each, target) for each in code.of(ast.Assign) if (target := _mask_name(each))]
    for assigned, name in made:
        truth = code.masks.truth(assigned.value)
        if truth is None or truth.shift is not None or truth.keeps > 0:
            continue
        body = code.tree.enclosing_body(assigned)
        near = [e for e, n in made if e is not assigned and _are_siblings(name, n)]
        others = [each for each in near if code.tree.enclosing_body(each) is body]
        kept = [e for e in others if (of := code.masks.truth(e.value)) is not None and of.keeps > 0]
        if NOT_PADDING.search(name):
            yield code.hit(assigned.value, say("named-for-tokens", name=name))
        elif kept and len(kept) == len(others):
            sibling = code.text_of(kept[0].targets[0])
            yield code.hit(assigned.value, say("unlike-sibling", name=name, sibling=sibling))


def _mask_name(assigned: ast.Assign) -> str:
    match assigned.targets:
        case [ast.Name(id=name)] if "mask" in name.lower():
            return name
    return ""


def _are_siblings(one: str, other: str) -> bool:
    """Whether two names differ in their first word alone: `src_mask` and `tgt_mask`."""
    (first, _, rest), (second, _, tail) = one.partition("_"), other.partition("_")
    return first != second and rest == tail != ""


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


def _beside_ids(call: ast.AST) -> bool:
    """Whether a call gives `input_ids` or types of tokens too, as models of Transformers take them: their
    mask is 1 for tokens."""
    return isinstance(call, ast.Call) and any(k.arg in OF_MODELS for k in call.keywords)
