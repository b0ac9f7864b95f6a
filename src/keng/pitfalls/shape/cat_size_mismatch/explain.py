"""Error messages: tensors to be joined differ in another dimension."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.explain.advice.edits import rewritten_argument
from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.pitfalls.shape._shared_explain import ALPHA, POWERS_OF_TWO, WIDTHS, extra_dimensions
from keng.rules import explains
from keng.source import Code

PRINTED = re.compile(
    r"(?:(?P<name>[A-Za-z_]\w{0,30})\s{0,3}[:=]?\s{0,3})?"
    r"(?:torch\.Size\(\[|\[|\()(?P<shape>\d{1,6}, ?\d{1,6}, ?\d{1,6}, ?\d{1,6})[\])]"
)
"""A shape of four dimensions that a person has printed, and what stands before it."""
CHANNELS = (1, 3, 4)
LEAST_SIDE = 16
ELSE = "else pad or crop one of them"
OF_TIME = re.compile(
    r"\b(?P<name>\w{0,30}(?:3d|video|clip|temporal|frames)\w{0,30})\b", re.IGNORECASE
)


@explains("sizes-differ")
def sizes_differ(failure: Failure) -> Hits:
    groups, there = failure.groups, failure.live.operands
    one, other = int(groups["one"] or groups["first"]), int(groups["other"] or groups["second"])
    says = f"sizes {one} and {other} meet in a dimension that is not joined"
    if len(there) > 1:
        says = " and ".join(f"`{operand.name}` has the shape {operand.shape}" for operand in there)
    same_tail = len(there) == 2 and there[0].shape[2:] == there[1].shape[2:]
    if same_tail and groups["dim"] != "0" and there[0].shape[0] != there[1].shape[0]:
        cure = "make both for the batch that came, or drop_last=True where the last one is smaller"
    else:
        cure = _cure_of_sizes(failure, one, other, groups["dim"], groups["at"] or "")
    # Up to torch 1.4 stack joined too, along a dimension of its own: there it was most often a batch.
    stacked = groups["dim"] == "0" and bool(groups["first"])
    fix = _brought_to_one_size(failure) if cure.startswith("as when") else None
    yield failure.hit(f"{says}: {cure}", fix, sure=not stacked, one=one, other=other)


@explains("sizes-without-their-numbers")
def sizes_without_their_numbers(failure: Failure) -> Hits:
    yield failure.hit(say("sizes-differ-dimension-not"))


@explains("dimensions-differ")
def dimensions_differ(failure: Failure) -> Hits:
    one, other = int(failure.groups["one"]), int(failure.groups["other"])
    there = failure.live.operands
    small = [o for o in there if len(o.shape) == min(one, other)]
    name = small[0].name if len(small) == 1 else "x"
    large = {o.shape for o in there if len(o.shape) == min(one, other) + 1}
    missing = [
        str(n)
        for shape in large
        for n in (extra_dimensions(small[0].shape, shape) if len(large) == len(small) == 1 else ())
    ]
    says, fix = f"tensors of {one} and {other} dimensions are joined", None
    cure = _cure_of_dimensions(failure, one, other)
    if len(missing) == 1:
        cure = f"{name}.unsqueeze({missing[0]}) gives the smaller one what it lacks"
        fix = failure.rewrite(name, f"{{}}.unsqueeze({missing[0]})")
    yield failure.hit(f"{says}: {cure}", fix)


@explains("numbers")
def numbers(failure: Failure) -> Hits:
    yield failure.hit(say("torch-cat-joins-tensors"))


@explains("quoted-in-part")
def quoted_in_part(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(
        f"sizes {one} and {other} meet in a dimension that is not joined: {_cure_of_sizes(failure, int(one), int(other))}"
    )


def _cure_of_sizes(failure: Failure, one: int, other: int, dim: str = "1", at: str = "") -> str:
    """What brings two together that are joined along `dim` and differ in another dimension, `at` where
    that is told."""
    small, large = sorted((one, other))
    if last := _channels_last(failure):
        return last
    if at == "0" != dim:
        return "make both for the batch that came, or drop_last=True where the last one is smaller"
    if (small, large, dim) == (3, 4, "0"):
        return f"an image {ALPHA}"
    if small == 1:
        says = "torch.cat stretches no 1, as of one thing beside a batch of several"
        return f"{says}: expand or repeat it to {large}"
    if large - small == 1:
        says = "as when an odd size is halved and doubled again"
        return f"{says}; pad or crop one to {large}, or the input to a multiple of 32"
    apart = large - small
    rounded = any(-small % each == apart or large % each == apart for each in (4, 8, 16, 32))
    if dim != "0" and 2 <= apart <= small // 8 and rounded:
        says = "of maps of an image, as when a size is no multiple of what it is halved by"
        return f"{says}: the input padded to a multiple of 32; else pad or crop one to {large}"
    if {small, large} <= WIDTHS and {small, large} - POWERS_OF_TWO:
        return "widths of two models: an nn.Linear to one of them before, or another dim"
    if small in (3, 4) and large >= LEAST_SIDE:
        says = f"channels last in one and second in the other, where the {small} are channels"
        return f"{says}: x.permute(0, 3, 1, 2); {ELSE}"
    if small == 2 and large >= 64:
        return f"(2, n) and (n, 2), where one is turned round, as edges and points are: x.T; {ELSE}"
    says = "resize images, pad sequences, or make both for one batch, before"
    return f"{says}; or join along the dimension that differs"


def _channels_last(failure: Failure) -> str:
    """Which of the tensors, whose shapes are printed or were in memory, has its channels last."""
    shapes = list(_shapes(failure))
    second = [shape for _, shape in shapes if shape[1] in CHANNELS and min(shape[2:]) >= LEAST_SIDE]
    last = [(n, s) for n, s in shapes if s[3] in CHANNELS and min(s[1:3]) >= LEAST_SIDE]
    if not last or not second:
        return ""
    name, shape = last[0]
    says = f"`{name}` of shape {shape} has its channels last, {second[0]} has them second"
    return f"{says}: {name}.permute(0, 3, 1, 2)"


def _shapes(failure: Failure) -> Iterator[tuple[str, tuple[int, ...]]]:
    for operand in failure.live.operands:
        if len(operand.shape) == 4:
            yield operand.name, operand.shape
    for found in PRINTED.finditer(f"{failure.message}\n{failure.context}"):
        sizes = tuple(int(size) for size in found["shape"].split(","))
        yield (found["name"] or "x"), sizes


def _brought_to_one_size(failure: Failure) -> Fix | None:
    """For two maps whose sizes differ: the smaller is brought to the size of the other."""
    there = failure.live.operands
    if (
        len(there) != 2
        or {len(each.shape) for each in there} not in ({4}, {5})
        or failure.groups["dim"] != "1"
    ):
        return None
    small, large = sorted(there, key=lambda each: each.shape[2:])
    fix: Fix | None = failure.ask_line(_resized, small.name, large.name)
    return fix


def _resized(code: Code, line: int, name: str, as_large_as: str) -> Fix | None:
    """A fix that gives a map the height and width of another where a line names it."""
    here = [n for n in code.tree.on_line(line, ast.Name) if n.id == name]
    function = (
        code.edits.qualified_name("torch.nn.functional.interpolate", here[0]) if here else None
    )
    form = f"{function}({name}, size={as_large_as}.shape[2:])"
    return rewritten_argument(code, line, name, form) if function else None


def _cure_of_dimensions(failure: Failure, one: int, other: int) -> str:
    """What brings two together that do not have one number of dimensions: both ways, where the shapes are
    not known."""
    line = failure.line or failure.surrounding
    timed = OF_TIME.search(line) if {one, other} == {4, 5} else None
    if timed is not None:
        says = "the one of five keeps a time of several steps, which squeeze does not take away"
        return f"{says}: pool it, as in {timed['name']}.mean(2)"
    says = (
        "unsqueeze(...) gives the smaller one what it lacks, where the other has not one too many"
    )
    return f"{says}, x[0], squeeze or a mean"
