"""Error messages: a tensor is reshaped to another number of elements."""

from __future__ import annotations

import re
from math import prod

from keng.explain.advice.fillings import filled_otherwise, open_otherwise
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("elements-that-do-not-fill")
def elements_that_do_not_fill(failure: Failure) -> Hits:
    shape = [int(size) for size in failure.groups["shape"].split(",") if size.strip()]
    if any(frame.function == "multi_head_attention_forward" for frame in failure.frames):
        yield failure.hit(
            "query, and key and value, are batches of different sizes: see the second dimension, the first with batch_first=True"
        )
        return
    there = int(failure.groups["there"])
    known = prod(size for size in shape if size != -1)
    given = [o for o in failure.live.operands if prod(o.shape) == there and o.shape]
    fix = None
    if shape == [-1, known] and len(given) == 1:
        each = there // given[0].shape[0]
        says = f"`{given[0].name}` of shape {given[0].shape} has {each} for each of {given[0].shape[0]}, not {known}"
        says += f": {given[0].name}.flatten(1), and the next layer made for {each}"
        if len(given[0].shape) > 2:
            fix = failure.mended("flattened", given[0].name, known, each)
    elif -1 in shape:
        says = (
            f"{known} does not divide {there}, so no size fits for -1{open_otherwise(there, shape)}"
        )
    else:
        what = f"`{given[0].name}` of shape {given[0].shape}: " if len(given) == 1 else ""
        says = (
            f"{what}{there} elements do not fill ({failure.groups['shape']}), which holds {known}"
        )
        says += filled_otherwise(there, shape)
        rest = known // shape[0] if shape and shape[0] > 0 else 0
        if len(given) == 1 and rest > 1 and given[0].shape[0] * rest == there:
            fix = failure.turned(str(shape[0]), f"{given[0].name}.size(0)")
    yield failure.hit(says, fix, elements=there, wanted=known)


TENSORS = re.compile(r"\.(?:cpu|numpy|detach)\(\)|\btorch\.")


BATCH_SIZES = re.compile(r"\b(?:self\.|args\.|opt\.|config\.)?(?:batch_?size|bs|BATCH_?SIZE)\b")


@explains("array-of-a-batch")
def array_of_a_batch(failure: Failure) -> Hits:
    shape = failure.groups["shape"].strip(" ,")
    wanted = prod(int(size) for size in shape.split(",") if size.strip())
    last = failure.frames[-1].text if failure.frames else failure.around
    shown, there = f"{failure.line}\n{last}", int(failure.groups["there"])
    size = BATCH_SIZES.search(shown)
    if size is not None and TENSORS.search(shown) and there < wanted:
        yield failure.hit(
            f"{there} values do not fill ({shape}): the last batch is smaller than `{size[0]}`, so len(x) in its place, or drop_last=True"
        )


@explains("not-of-these-sizes")
def not_of_these_sizes(failure: Failure) -> Hits:
    sizes = failure.groups.get("sizes")
    yield failure.hit(
        f"the sizes {sizes} do not multiply up" if sizes else "more than one size is -1"
    )
