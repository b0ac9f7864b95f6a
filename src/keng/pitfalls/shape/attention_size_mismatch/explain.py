"""Error messages: attention gets sizes that its heads or masks do not fit."""

from __future__ import annotations

import ast

from keng.explain.advice.edits import constructor
from keng.explain.failure import Failure
from keng.model import Fix, Hits, Message, say
from keng.rules import explains
from keng.source import Code
from keng.source.flow import whole_number

VARIABLES = {
    "Attention mask": "attention_mask",
    "Attention weights": "attn_weights",
    "attn_output": "attn_output",
}
"""What an attention module of Transformers calls what its error names."""


@explains("divisible-num-heads")
def divisible_num_heads(failure: Failure) -> Hits:
    settings = failure.live.layer.settings if failure.live.layer is not None else {}
    width, heads = settings.get("embed_dim"), settings.get("num_heads")
    if not isinstance(width, int) or not isinstance(heads, int) or width < 1 or heads < 1:
        yield failure.hit(say("divisible-num-heads"))
        return
    fitting = min((n for n in range(1, width + 1) if not width % n), key=lambda n: abs(n - heads))
    fix = failure.ask_line(_with_heads, heads, fitting)
    yield failure.hit(say("heads-do-not-divide", width=width, heads=heads, fitting=fitting), fix)


def _with_heads(code: Code, line: int, heads: int, fitting: int) -> Fix | None:
    """A fix of the one call on a line that is given so many heads as a number."""
    calls = code.tree.on_line(line, ast.Call)
    given = [
        size
        for call in calls
        for keyword in ("num_heads", "nhead")
        if (size := code.calls.argument(call, keyword, 1)) is not None
    ]
    numbers = list({id(size): size for size in given if whole_number(size) == heads}.values())
    if len(numbers) != 1:
        return None
    title = say("choose-heads", fitting=fitting)
    return Fix(title, (code.edits.replace(numbers[0], str(fitting)),), "shown")


@explains("features-for-other-heads")
def features_for_other_heads(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    if failure.input is not None and int(wants) in failure.input.shape[:-1]:
        name = failure.input_name
        yield failure.hit(say("features-not-last", wants=wants, came=came, name=name))
    else:
        yield failure.hit(say("features-differ", wants=wants, came=came))


@explains("mask-of-other-lengths")
def mask_of_other_lengths(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    sizes = ([int(size) for size in each.split(", ")] for each in (wants, came))
    (*_, length), (*batches, there) = sizes
    batch = failure.input.shape[1:2] if failure.input is not None else tuple(batches)
    layer = failure.live.layer
    if heads := _heads_apart(wants, came):
        says = say("mask-for-each-head", came=came, wants=wants, heads=heads)
    elif there == length and tuple(batches) == batch:
        says = say("mask-of-padding", came=came, wants=wants)
    elif (there,) == batch and layer is not None and layer.settings.get("batch_first") is False:
        says = say("mask-of-batch-first", came=came, wants=wants)
    elif layer is None and not batches[1:] and there != length:
        says = say("mask-or-batch-first", came=came, wants=wants, length=length)
    else:
        says = say("mask-of-another-length", came=came, wants=wants)
    yield failure.hit(says)


@explains("padding-mask-of-another-shape")
def padding_mask_of_another_shape(failure: Failure) -> Hits:
    says, fix = _transposed_padding_mask(failure)
    yield failure.hit(says, fix)


@explains("of-a-model")
def of_a_model(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key].strip("`") for key in ("what", "wants", "came"))
    yield failure.hit(_sizes_in_a_model(VARIABLES[what], wants, came))


def _heads_apart(wants: str, came: str) -> int:
    """How many heads a mask of three dimensions, "2, 5, 5", is to be repeated for; 0 where it is another."""
    one, other = ([int(size) for size in sizes.split(", ")] for sizes in (wants, came))
    alike = len(one) == len(other) == 3 and one[1:] == other[1:]
    return one[0] // other[0] if alike and other[0] and one[0] % other[0] == 0 else 0


def _transposed_padding_mask(failure: Failure) -> tuple[Message, Fix | None]:
    """What a padding mask of the wrong shape says, and a fix. Inside the forward, inputs with the batch first are
    already transposed."""
    masks, given = [o for o in failure.live.operands if o.dtype == "bool"], failure.input
    mask, layer = masks[0] if len(masks) == 1 else None, failure.live.layer
    wants, came = failure.groups["wants"], failure.groups["came"]
    if layer is None or not layer.settings.get("batch_first"):
        first = mask is not None and given is not None and mask.shape == given.shape[:2]
        fix = failure.ask_line(_batch_put_first, failure.layer_name) if first and layer else None
        sizes = [each.split(", ") for each in (wants, came)]
        if layer is None and len(sizes[0]) == 2 and sizes[0] != sizes[1][::-1]:
            return say("padding-mask-of-another-batch", came=came, wants=wants), None
        if fix is not None:
            return say("padding-mask-batch-first", came=came, wants=wants), fix
        return say("padding-mask-perhaps-batch-first", came=came, wants=wants), None
    if mask and given and mask.shape == given.shape[:2] and mask.shape[0] != mask.shape[1]:
        says = say("padding-mask-transposed", name=mask.name, came=came, wants=wants)
        return says, failure.rewrite(mask.name, "{}.T")
    return say("padding-mask-of-another-batch", came=came, wants=wants), None


def _batch_put_first(code: Code, line: int, path: str) -> Fix | None:
    """A fix by which a layer, named by its path, takes the batch in front."""
    made = constructor(code, path, line) if path else None
    if made not in code.tree.parent or code.calls.argument(made, "batch_first") is not None:
        return None
    return code.edits.add_argument(made, "batch_first=True", "Take the batch first", "shown")


def _sizes_in_a_model(what: str, wants: str, came: str) -> Message:
    """How a mask, weights or an output of attention in a model differ, "1, 1, 5, 9" from "1, 1, 5, 5"."""
    one, other = wants.split(", "), came.split(", ")
    apart = [n for n, sizes in enumerate(zip(one, other, strict=False)) if len({*sizes}) > 1]
    if len(one) != len(other) or not apart:
        return say("dimensions-in-model-differ", what=what, came=came, wants=wants)
    if apart == [0]:
        return say("batch-or-heads-differ", what=what, came=came, wants=wants)
    if apart[-1] == len(one) - 1 == 3 and what != "attn_output":
        return say("mask-without-cache", what=what, came=came, wants=wants)
    return say("head-dim-differs", what=what, came=came, wants=wants)
