"""Labels that are no classes of the model: what their values, and the words beside, tell of them."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

IGNORED = 255
MASKS = re.compile(
    r"\b(?:(?:true|gt|target|seg|pred)_)?masks?\b|segmentation|\bseg\b|unet|loss2d|SpatialClassNLL|deeplab",
    re.IGNORECASE,
)
"""Of images with a class for each pixel."""
ANEW = "labels numbered anew from 0, as where they count from 1"
LATE = "; the GPU tells late, so the line shown may come after the loss"


def of_no_class(failure: Failure, label: str) -> str:
    """What a label that no output is for tells, and what mends it."""
    number, shown = int(label), MASKS.search(_shown(failure))
    if number < 0:
        return f"label {label} is no class: ignore_index={label} where it marks what is left out, or {ANEW}"
    if number == 1:  # the second class of a model of one
        says = "label 1 is not among the classes of the model, as it has one output"
        return f"{says}: two for cross_entropy, or BCEWithLogitsLoss and labels.float() for one"
    says = f"label {label} is not among the classes of the model, 0 to C - 1"
    if number == IGNORED:
        left = "ignore_index=255 where it marks what is left out"
        return f"{says}: {left}, (mask > 0).long() for masks of 0 and 255"
    more = f"{number + 1} outputs or more"
    if shown:
        cure = "the grey values or colours of masks are mapped to these"
        return f"{says} with the background: {cure}, or {more}"
    grey = " or are grey values" if 20 < number < IGNORED else ""
    return f"{says}: {more} (num_labels, num_classes), or {ANEW}{grey}"


def of_some_class(failure: Failure) -> str:
    """The same where the label is not told."""
    late = LATE if ".cu:" in failure.message else ""
    known = "is not among the classes of the model, 0 to C - 1"
    if MASKS.search(_shown(failure)):
        shows = "mask.unique() shows grey values, 255 or one too many"
        return f"a mask holds a value that {known} with the background: {shows}{late}"
    shows = "labels.unique() shows whether they count from 1, hold -1, 255 or grey values, or one too many"
    return f"a label {known}: {shows}{late}"


def _shown(failure: Failure) -> str:
    lines = [frame.text for frame in failure.frames]
    return "\n".join((*lines, failure.message, failure.around, failure.told))


def in_a_metric(what: str, values: str, allowed: str) -> str:
    """What to do where a metric of two classes is given other values."""
    says = f"`{what}` holds {values[:80]}, and a metric of two classes takes {allowed}"
    numbers = set(re.findall(r"-?\d+", values))
    if {"-1", "-100"} & numbers:
        return f"{says}: ignore_index= for what is left out"
    return f"{says}: " + ("`> 0`" if len(numbers) < 3 else 'task="multiclass", or `> 0`')


OF_ONE_HOT = {
    "non-negative": "one below 0, which marks what is left out as a rule: take it out, or clamp(min=0) and "
    "leave it out of the loss",
    "smaller than num_cl": "one that is too large; with C classes labels are 0 to C - 1: they count from 1, "
    "or are 255 or the grey values of a mask, or more classes",
}
"""What one_hot says of labels -> what they hold."""
