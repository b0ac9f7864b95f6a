"""Error messages: the letters of an einsum do not fit its tensors."""

from __future__ import annotations

import ast
import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.source import Code

EQUATION = re.compile(r"[\"']([\w, ]{1,80})->\w{0,40}[\"']")


@explains("letter-of-two-sizes")
def letter_of_two_sizes(failure: Failure) -> Hits:
    groups, there = failure.groups, [o.name for o in failure.live.operands]
    letter, size, nth = groups["letter"], groups["size"], int(groups["operand"])
    says = f"{letter} is {groups['before']} before and {size} in operand {nth}"
    if len(there) == 2 and nth == 1:
        says = f"{letter} is {groups['before']} in {there[0]} and {size} in {there[1]}"
    yield failure.hit(
        f"{says}: one letter is one size", _other_letter(failure, letter, nth, int(size))
    )


@explains("letters-and-dimensions")
def letters_and_dimensions(failure: Failure) -> Hits:
    groups, there, nth = failure.groups, failure.live.operands, int(failure.groups["operand"])
    several = len(there) == 2 and nth < 2
    what = f"`{there[nth].name}` of shape {there[nth].shape}" if several else f"operand {nth}"
    dims, letters = int(groups["dims"]), int(groups["letters"])
    cure = _without_letters(dims, letters)
    yield failure.hit(f"{what} has {dims} dimensions, but {letters} letters: {cure}")


@explains("letter-from-nowhere")
def letter_from_nowhere(failure: Failure) -> Hits:
    yield failure.hit(say("stands-after-only-no", letter=failure.groups["letter"]))


@explains("size-of-a-letter-before")
def size_of_a_letter_before(failure: Failure) -> Hits:
    operand, dim = failure.groups["operand"], failure.groups["dim"]
    yield failure.hit(say("dimension-operand-not-large", operand=dim, operand_2=operand))


@explains("letters-of-two-sizes")
def letters_of_two_sizes(failure: Failure) -> Hits:
    met = _letter_apart(failure.groups["shapes"])
    yield failure.hit(f"two dimensions of one letter differ in size{met}")


def _other_letter(failure: Failure, letter: str, nth: int, size: int) -> Fix | None:
    """Where one letter of the other operand alone has the size that came, and the operand lacks it."""
    equation, there = EQUATION.search(failure.line), failure.live.operands
    groups = [list(each.strip()) for each in equation[1].split(",")] if equation else []
    if [len(g) for g in groups] != [len(o.shape) for o in there] or len(there) != 2:
        return None
    before, mine = groups[1 - nth], groups[nth]
    sizes = dict(zip(before, there[1 - nth].shape, strict=True))
    fits = [each for each in before if sizes[each] == size and each not in mine]
    alone = len(fits) == 1 and mine.count(letter) == 1 and letter in before
    fix: Fix | None = failure.ask_line(_relettered, nth, letter, fits[0]) if alone else None
    return fix


def _relettered(code: Code, line: int, nth: int, letter: str, other: str) -> Fix | None:
    """A fix that writes another letter for a dimension of one operand of the einsum on a line."""
    texts = [n for n in code.tree.on_line(line, ast.Constant) if isinstance(n.value, str)]
    equations = [n for n in texts if re.fullmatch(r"[\w, ]+->\w*", str(n.value))]
    if len(equations) != 1:
        return None
    left, _, right = str(equations[0].value).partition("->")
    groups = left.split(",")
    groups[nth] = groups[nth].replace(letter, other)
    text = code.text_of(equations[0])
    written = text.replace(str(equations[0].value), f"{','.join(groups)}->{right}")
    return Fix(
        say("call-there", letter=other), (code.edits.replace(equations[0], written),), "shown"
    )


def _without_letters(dims: int, letters: int) -> str:
    """What to do about dimensions that have no letter, or letters without a dimension."""
    return (
        "... stands for those without one" if dims > letters else "an index or squeeze() took one"
    )


def _letter_apart(shapes: str) -> str:
    """Which two sizes meet in the shapes, "[6, 53]->[6, 1, 53] [6, 52]->[6, 52, 1]", that einsum made of its
    operands."""
    remapped = re.findall(r"->\[([\d, ]+)\]", shapes)
    for place in zip(*(shape.split(", ") for shape in remapped), strict=False):
        sizes = sorted({int(size) for size in place} - {1})
        if len(sizes) > 1:
            says = f": {sizes[0]} and {sizes[-1]}"
            return f"{says}, as where the two were padded or cut otherwise"
    return ""
