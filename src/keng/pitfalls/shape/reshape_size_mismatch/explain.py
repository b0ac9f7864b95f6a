"""Error messages: a tensor is reshaped to another number of elements."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from itertools import pairwise
from math import isqrt, prod

from keng.explain.failure import Failure
from keng.explain.live import Operand
from keng.model import Fix, Hits, Message, say
from keng.rules import explains
from keng.source import Code
from keng.source.flow import whole_number

FEW = 8
"""How many times as large a batch may come as was planned, as of several cards."""
MOST_TIMES = 8
"""A batch that is larger by more is none."""


@explains("elements-that-do-not-fill")
def elements_that_do_not_fill(failure: Failure) -> Hits:
    shape = [int(size) for size in failure.groups["shape"].split(",") if size.strip()]
    if any(frame.function == "multi_head_attention_forward" for frame in failure.frames):
        yield failure.hit(say("attention-batches-differ"))
        return
    there = int(failure.groups["there"])
    known = prod(size for size in shape if size != -1)
    library = _library(failure)
    if library:
        inside = say("library-does-not-fill", library=library, there=there, known=known)
        if -1 in shape:
            inside = say("library-not-divisible", library=library, there=there, known=known)
        yield failure.hit(inside, sure=False, elements=there, wanted=known)
        return
    given = [o for o in failure.live.operands if prod(o.shape) == there and o.shape]
    fix = None
    if shape == [-1, known] and len(given) == 1:
        name, came = given[0].name, given[0].shape
        each = there // came[0]
        says = say(
            "features-differ", name=name, shape=came, each=each, samples=came[0], known=known
        )
        fix = failure.ask_line(_flattened, name, known, each) if len(came) > 2 else None
    elif (wrong := _wrong_constants(failure, shape, there)) is not None:
        yield failure.hit(wrong, elements=there, wanted=known)
        return
    elif -1 in shape:
        says = say(
            "no-size-for-open", known=known, there=there, advice=_open_otherwise(there, shape)
        )
    else:
        says = _not_filled(failure.groups["shape"], there, shape, given)
        rest = known // shape[0] if shape and shape[0] > 0 else 0
        if len(given) == 1 and rest > 1 and given[0].shape[0] * rest == there:
            fix = failure.rewrite(str(shape[0]), f"{given[0].name}.size(0)")
    yield failure.hit(says, fix, elements=there, wanted=known)


LIBRARY = re.compile(r"(?:site|dist)-packages/(?!torch/)(\w+)/")


def _library(failure: Failure) -> str:
    """The installed library that reshaped what it computed itself."""
    found = LIBRARY.search(failure.frames[-1].posix) if failure.frames else None
    return found[1] if found is not None else ""


PRINTED = re.compile(r"(?:torch\.Size\(\[|(?<=shape )\[|(?<=shape )\()(?P<sizes>\d[\d, ]*)[\])]")
"""A shape that the program printed, or a person wrote."""


def _wrong_constants(failure: Failure, shape: list[int], there: int) -> Message | None:
    """What the numbers written into `x.reshape(n, 8, 32, e)` make, and what is left for them next to the sizes
    that the program computed: where those divide the elements, the numbers are at fault."""
    sizes = _sizes_written(failure.line or failure.surrounding, len(shape))
    if not sizes or -1 in shape:
        return None
    constant = [isinstance(node, ast.Constant) for node in sizes]
    written = prod(size for size, fixed in zip(shape, constant, strict=True) if fixed)
    computed = prod(size for size, fixed in zip(shape, constant, strict=True) if not fixed)
    if not any(constant) or all(constant) or not computed or there % computed:
        return None
    left = there // computed
    first = not constant[0] and len(shape) - sum(constant) == 1
    if left == written or first:
        return None  # the first size alone is the batch
    named = [ast.unparse(node) for node, fixed in zip(sizes, constant, strict=True) if not fixed]
    numbers = [str(size) for size, fixed in zip(shape, constant, strict=True) if fixed]
    printed = _printed_shape(failure, there)
    fitting = [size for size, fixed in zip(shape, constant, strict=True) if not fixed]
    if printed and any(size not in printed for size in fitting):
        return None
    values = {
        "named": ", ".join(named),
        "numbers": " * ".join(numbers),
        "written": written,
        "left": left,
    }
    if printed:
        return say("constants-do-not-fill", shape=printed, **values)
    return say("constants-of-elements", there=there, **values)


def _sizes_written(line: str, count: int) -> list[ast.expr]:
    """The arguments of the one `view` or `reshape` of a line, if they are so many."""
    try:
        tree = ast.parse(line.strip())
    except (SyntaxError, ValueError, RecursionError):
        return []
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("view", "reshape")
    ]
    given = calls[0].args if len(calls) == 1 else []
    if len(given) == 1 and isinstance(given[0], ast.Tuple | ast.List):
        given = given[0].elts
    return list(given) if len(given) == count else []


def _printed_shape(failure: Failure, there: int) -> tuple[int, ...] | None:
    """The one shape of so many elements that is printed near the error."""
    found = {
        tuple(int(size) for size in each["sizes"].split(",") if size.strip())
        for each in PRINTED.finditer(failure.context)
    }
    fitting = [sizes for sizes in found if prod(sizes) == there]
    return fitting[0] if len(fitting) == 1 else None


TENSORS = re.compile(r"\.(?:cpu|numpy|detach)\(\)|\btorch\.")


BATCH_SIZES = re.compile(r"\b(?:self\.|args\.|opt\.|config\.)?(?:batch_?size|bs|BATCH_?SIZE)\b")


@explains("array-of-a-batch")
def array_of_a_batch(failure: Failure) -> Hits:
    shape = failure.groups["shape"].strip(" ,")
    wanted = prod(int(size) for size in shape.split(",") if size.strip())
    last = failure.frames[-1].text if failure.frames else failure.surrounding
    shown, there = f"{failure.line}\n{last}", int(failure.groups["there"])
    size = BATCH_SIZES.search(shown)
    if size is not None and TENSORS.search(shown) and there < wanted:
        yield failure.hit(say("values-do-not-fill", there=there, shape=shape, size=size[0]))


@explains("not-of-these-sizes")
def not_of_these_sizes(failure: Failure) -> Hits:
    sizes = failure.groups.get("sizes")
    yield failure.hit(say("sizes-do-not-multiply", sizes=sizes) if sizes else say("two-sizes-open"))


def _flattened(code: Code, line: int, name: str, known: int, each: int) -> Fix | None:
    """A fix for `x.view(-1, known)` where a sample has other features, and for the layer behind it."""
    views = [
        c
        for c in code.tree.on_line(line, ast.Call)
        if isinstance(c.func, ast.Attribute)
        and c.func.attr in ("view", "reshape")
        and code.text_of(c.func.value) == name
    ]
    owner = code.tree.enclosing_class(views[0]) if len(views) == 1 else None
    linear = [
        c.args[0]
        for c in (code.below(owner, ast.Call) if owner is not None else ())
        if code.names.resolve(c.func) == "torch.nn.Linear"
        and c.args
        and whole_number(c.args[0]) == known
    ]
    if len(linear) != 1:
        return None
    edits = (
        code.edits.replace(linear[0], str(each)),
        code.edits.replace(views[0], f"{name}.flatten(1)"),
    )
    return Fix(say("keep-batch-rebuild-layer", each=each), edits, "shown")


def _not_filled(
    written: str, there: int, shape: Sequence[int], given: Sequence[Operand]
) -> Message:
    """What is said of a shape of another number of elements, none of them left open."""
    known, advice = prod(shape), _filled_otherwise(there, shape)
    if len(given) == 1:
        name, came = given[0].name, given[0].shape
        if advice is not None and advice.values.get("first", came[0]) != came[0]:
            advice = None  # the tensor has no batch of that size
        if advice:
            return say(
                "named-does-not-fill-do",
                name=name,
                came=came,
                there=there,
                shape=written,
                known=known,
                advice=advice,
            )
        return say(
            "named-does-not-fill", name=name, came=came, there=there, shape=written, known=known
        )
    if advice:
        return say("does-not-fill-do", there=there, shape=written, known=known, advice=advice)
    return say("does-not-fill", there=there, shape=written, known=known)


def _open_otherwise(there: int, shape: Sequence[int]) -> Message:
    """Why no size may fit where one is left open, -1."""
    first, *rest = shape
    if first == -1 and len(rest) == 1:
        return say("open-other-images")
    each = prod(size for size in rest if size != -1)
    if first == -1 and len(rest) == 2 and there % rest[1] == 0:
        return say("open-no-groups", rows=there // rest[1], width=rest[1], each=rest[0])
    if len(rest) == each == 1 and there > first:
        return say("open-other-lengths", first=first)
    if first > 1 and each and there % each == 0:
        return say("open-batch-size", first=first)
    smaller = _smaller_map(there, shape)
    return say("open-smaller-map", **smaller) if smaller else say("open-other-size")


def _smaller_map(there: int, shape: Sequence[int]) -> dict[str, int]:
    """The one smaller height and width with which the elements fit, of a shape that has two equal sizes next to
    each other."""
    for n, (size, same) in enumerate(pairwise(shape)):
        if size != same or size <= FEW:
            continue
        rest = prod(each for m, each in enumerate(shape) if each != -1 and m not in (n, n + 1))
        fitting = [s for s in range(size - FEW, size) if rest and there % (rest * s * s) == 0]
        if len(fitting) == 1:
            return {"size": size, "fits": fitting[0], "less": size - fitting[0]}
    return {}


def _filled_otherwise(there: int, shape: Sequence[int]) -> Message | None:
    """What would fit, and why it may differ: another batch, other images, or one size that was computed
    differently; None where the numbers tell none of these."""
    known = prod(shape)
    rest = known // shape[0] if shape and shape[0] > 0 else 0
    if rest and (larger := _another_resolution(there, shape)):
        return larger
    if rest and len(shape) == shape.count(1) + 1:
        return say("leave-open", form=_open(shape))
    if there in (3 * known, 4 * known) and 1 in shape[1:]:
        return say("colours-for-grey", count=there // known)
    if rest and there % rest == 0 and there > FEW * known:
        return say("larger-batch-or-steps", first=there // rest)
    if rest and there % rest == 0:
        first = there // rest
        return (
            say("smaller-batch", first=first) if there < known else say("larger-batch", first=first)
        )
    if side := _of_a_map(there, shape):
        return side
    others = [
        (n, there * size // known)
        for n, size in enumerate(shape[1:], 1)
        if _fits(there, known, size)
    ]
    if len(others) != 1:
        return None
    n, fitting = others[0]
    return say("one-size-differs", fitting=fitting, size=shape[n])


def _another_resolution(there: int, shape: Sequence[int]) -> Message | None:
    """Of images that are to be flattened row by row, and are larger than was planned for."""
    rows, planned = shape[0], math.prod(shape[1:])
    each, rest = divmod(there, rows)
    came, meant = _image_of(each), _image_of(planned)
    if rest or each <= planned or rows == 1 or not (came and meant):
        return None
    if each % planned == 0 and each <= MOST_TIMES * planned:
        return say("larger-batch-or-images", rows=there // planned, came=came, meant=meant)
    return say("larger-images", came=came, meant=meant)


def _image_of(values: int) -> str:
    """ "3 * 224 * 224" where so many values are a square image of one channel or three; powers of two are
    widths of layers as well."""
    for channels in (3, 1) if values.bit_count() > 1 else ():
        side = math.isqrt(values // channels)
        if channels * side * side == values and side >= 8:
            return f"{channels} * {side} * {side}"
    return ""


def _open(shape: Sequence[int]) -> str:
    return f"view({', '.join(str(size) if size == 1 else '-1' for size in shape)})"


def _of_a_map(there: int, shape: Sequence[int]) -> Message | None:
    """Whether a square map of another size makes the shape fit."""
    for one, other in pairwise(shape):
        places = there * one * one // max(prod(shape), 1)
        side = isqrt(places)
        if one == other > 1 and side * side * prod(shape) == there * one * one:
            return say("map-of-another-size", side=side, one=one)
    return None


def _fits(there: int, known: int, size: int) -> bool:
    """Whether another number in the place of one size makes the shape fit."""
    return known > 0 < size and there % (known // size) == 0
