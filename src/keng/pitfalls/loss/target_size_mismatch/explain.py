"""Error messages: predictions and targets of a loss have different sizes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isqrt, prod

from keng.explain.advice.losses import why_counts_differ
from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.loss._shared_explain import reordering_call, unit_dimension_call
from keng.rules import explains

OF_TEXTS = re.compile(r"\btransformers\b|input_ids|\btokens?\b|\bLLM\b|modeling_\w+\.py")


@explains("one-by-one")
def one_by_one(failure: Failure) -> Hits:
    target, given = failure.groups["target"], failure.groups["input"]
    names = (
        failure.loss_argument_name(0, "the input").strip("`"),
        failure.loss_argument_name(1, "the target").strip("`"),
    )
    says = f"{names[0]} is ({given}), {names[1]} is ({target})"
    name = names[1] if names[1].isidentifier() else "target"
    shapes = [[int(size) for size in each.split(", ") if size] for each in (target, given)]
    cure, form = _fitted(name, *shapes)
    says += f": {cure}" if cure else ""
    yield failure.hit(says, failure.rewrite(names[1], form) if form else None)


@explains("batches-that-differ")
def batches_that_differ(failure: Failure) -> Hits:
    yield failure.hit(
        _batches_apart(failure, int(failure.groups["rows"]), int(failure.groups["labels"]))
    )


@explains("resolutions-that-differ")
def resolutions_that_differ(failure: Failure) -> Hits:
    yield failure.hit(_resolutions_apart(failure.groups["input"], failure.groups["target"]))


@explains("of-several-inputs")
def of_several_inputs(failure: Failure) -> Hits:
    sizes = failure.groups["sizes"].replace("torch.Size", "")
    yield failure.hit(say("wants-inputs-target-one", sizes=failure.groups["loss"], sizes_2=sizes))


@explains("one-by-one-in-old-words")
def one_by_one_in_old_words(failure: Failure) -> Hits:
    target, given = failure.groups["target"], failure.groups["input"]
    says = f"the loss compares one by one, and gets {given} values with a target of {target}"
    shapes = [[int(size) for size in re.findall(r"\d+", each)] for each in (target, given)]
    plain = given.isdigit() and target.isdigit() and int(target)
    if plain and (each := int(given) // int(target)) > 1:
        of_maps = each > 4 and isqrt(each) ** 2 == each
        cure = MAPS if of_maps else "a model of 1 output, or cross_entropy for class numbers"
        says += f", {each} for each: {cure}"
    elif "inconsistent" not in failure.message and (cure := _fitted("target", *shapes)[0]):
        says += f": {cure}"
    yield failure.hit(says)


MAPS = "maps of scores, as a discriminator of patches gives: torch.ones_like(output), or a mean over each"


def _fitted(name: str, target: Sequence[int], given: Sequence[int]) -> tuple[str, str]:
    """What to do with the target of a loss that compares one by one, and the form of it that fits."""
    there, here = list(target), list(given)
    if there and here and ([*there, 1] == here or [*here, 1] == there):
        form = f".unsqueeze({len(there)})" if len(there) < len(here) else f".squeeze({len(here)})"
        return f"{name}{form}", f"{{}}{form}"
    if form := unit_dimension_call(there, here):
        return f"{name}{form}", f"{{}}{form}"
    classes, batch = here[1] if len(here) > 1 else 1, [here[0], *here[2:]] if here else []
    if classes > 1 and there == batch:
        says = f"class numbers of {classes} classes, as cross_entropy takes them; this loss wants"
        return f"{says} a model of 1 output, or F.one_hot in the shape of the input", ""
    if (
        len(here) > 2
        and classes == 1
        and there in ([*here[:1], channels, *here[2:]] for channels in (3, 4))
    ):
        says = "the masks are coloured pictures, and one map is made: mask.convert('L')"
        return f"{says}, or a last layer of {there[1]} where pictures are to come", ""
    if classes > 1 and there == [*here[:1], 1, *here[2:]]:
        return f"{classes} outputs meet one target: a model of 1 output, or cross_entropy", ""
    if exchanged := reordering_call(there, here):
        return f"{name}{exchanged}", ""
    if prod(there) == prod(here):
        shape = ", ".join(map(str, here)) or "()"
        return f"{name}.reshape({shape}), if their values stand in one order", ""
    return why_counts_differ(there, here), ""


def _batches_apart(failure: Failure, rows: int, labels: int) -> str:
    says = f"{rows} rows of scores meet {labels} labels"
    if labels and rows > labels and rows % labels == 0:
        says += f": {rows // labels} rows for each, as a reshape took features into the batch,"
        return f"{says} x.flatten(1), names the size of another batch, or every step of a sequence is kept"
    if rows == 1 < labels:
        says = f"one row of scores meets {labels} labels: the model lays the batch out flat"
        return f"{says}, x.flatten(1) in place of view(-1)"
    if rows and labels > rows and labels % rows == 0:
        says += f": {labels // rows} for each, as one-hot rows or sequences laid out flat"
        return f"{says}: argmax(1), or scores of each step"
    if failure.matches(OF_TEXTS):
        says += (
            ": labels of a text are as long as its input_ids, with -100 for the prompt and padding,"
        )
        return f"{says} and are cut off with them"
    says += ": one of them is of another batch, as where a reshape names the batch's size,"
    return f"{says} the last is smaller, or time comes first (batch_first=True)"


def _resolutions_apart(given: str, target: str) -> str:
    """Of scores and masks by their sizes, "2x5x4x4" or "2, 8, 8"."""
    here, there = (re.findall(r"\d+", each) for each in (given, target))
    if len(there) == 1:
        return f"scores of ({given}) meet {target} labels: a row of scores for each label, (N, C) and (N,)"
    says = f"scores of ({given}) and masks of ({target})"
    if dim := next((n for n in range(2, len(here)) if here[:n] + here[n + 1 :] == there), 0):
        return f"{says}: the classes stand in dimension {dim}: scores.movedim({dim}, 1)"
    if here[-2:] == there[-2:]:
        return f"{says}: the batches differ"
    if len(there) == 3 and here[-2:] == [there[2], there[1]]:
        return f"{says}: height and width are exchanged: masks.transpose(1, 2)"
    return f"{says}: F.interpolate(scores, size=masks.shape[-2:]), or masks with mode='nearest'"
