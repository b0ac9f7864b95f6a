"""Where a layer is not to be made for the size that came: matrices without a layer, columns for rows, weights
that were replaced."""

from __future__ import annotations

import math
import re

from keng.failures import Failure
from keng.model import Fix

PRODUCT = re.compile(r"\b(?:torch\.)?(?:matmul|mm)\((\w[\w.]{0,60}), (\w[\w.]{0,60})\)")
"""Of two matrices that have names."""
FEW = 16
"""Scores and actions are mostly so few, and the features that a wide layer takes are more."""
PACKAGE = re.compile(r"(?:site|dist)-packages/(\w+)/")
CHANNELS, FEATURES = 3, 512
"""Of a picture, and the fewest that a network makes of one."""


def one_size_is_not_it(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None] | None:
    """Of two matrices where none is a layer's weight, or one that is no more what its layer was made with."""
    if not failure.in_layer("Linear"):
        return two_matrices(failure, wants, came)
    if (column := one_below_the_other(failure, wants, came)) is not None:
        return column
    says = weight_replaced(failure, "in_features", wants, came)
    says = says or scores_for_features(failure, wants, came) or of_a_library(failure, wants, came)
    return (says, None) if says else None


def scores_for_features(failure: Failure, wants: int, came: int) -> str:
    """What numbers are that are no features any more, but were made of them; nothing where they may be."""
    if int(failure.groups["rows"]) * came % wants == 0 == wants % came:
        return ""  # as of what was not flattened
    if 1 < came == int(failure.groups.get("out") or 0) and wants > 4 * came:
        says = f"a layer {wants} -> {came} gets {came}, as one such layer gives: two last layers stand in a"
        return f"{says} row, or one is called twice; give it the {wants} features from before"
    if 1 < came <= FEW and wants >= max(64, 8 * came):
        says = f"{came} numbers come where {wants} features are taken: are they scores or actions, return"
        return f"{says} what the last layer is given; are they the features, in_features={came}"
    return ""


def of_a_library(failure: Failure, wants: int, came: int) -> str:
    """Of a layer that an installed package has made, whose size is not the user's to change in its code."""
    outside = [frame.posix for frame in failure.frames if "/torch/" not in frame.posix]
    found = PACKAGE.search(outside[-1]) if outside else None
    if found is None:
        return ""
    says = f"a layer of {found[1]} takes {wants} features, but gets {came}: give the model what it was made"
    return f"{says} for, or make it for {came} in its own settings"


def two_matrices(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None]:
    """Where only the second of two matrices, turned round, makes them fit, that is the fix."""
    there = failure.live.operands
    named = [tuple(each.name for each in there)]
    if len(there) != 2:
        named = PRODUCT.findall(failure.line or failure.around)
    if len(named) != 1 and (column := one_below_the_other(failure, wants, came)) is not None:
        return column
    if len(named) != 1:
        picture = f"{came} columns, as the channels of a picture, meet {wants} rows"
        if came == CHANNELS and wants >= FEATURES:
            return f"{picture}: what makes {wants} features of it was cut off or left out", None
        return scores_for_features(failure, wants, came) or columns(failure, wants, came), None
    one, other = named[0]
    says = f"`{one}` has {came} columns, but `{other}` has {wants} rows"
    if [len(each.shape) for each in there] != [2, 2] or there[0].shape[0] == wants:
        return says, None
    return says, failure.turned(there[1].name, "{}.T") if there[1].shape[1] == came else None


def columns(failure: Failure, wants: int, came: int) -> str:
    """Of columns that meet rows, where neither is known by a name."""
    says, side = f"{came} columns meet {wants} rows", math.isqrt(came // wants)
    rows = int(failure.groups["rows"])
    square = wants == 3 * came * came or (wants == came * came and came.bit_count() > 1)
    if square and came >= 8 and rows * came % wants == 0:
        return f"{says}, those of whole images: x.flatten(1) before the layer"
    if side > 1 and side % 2 and came == wants * side * side and wants >= 16:
        says = (
            f"{says}: maps of {side} x {side} are left where 1 x 1 is planned, as of larger images"
        )
        return f"{says}; in_features={came}, or AdaptiveAvgPool2d(1) before the flatten"
    says = f"{says}: in_features={came} in an nn.Linear of your own"
    return f"{says}, or mend what comes before it, as a finished model keeps its {wants}"


def one_below_the_other(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None] | None:
    """Of the features of one sample that stand in a column, where a layer takes them in a row."""
    given = failure.given.shape if failure.given is not None else (wants, 1)
    if not came == 1 < wants == int(failure.groups["rows"]) or given != (wants, 1):
        return None
    says = (
        f"a linear layer takes {wants} features in a row, and here they stand one below the other"
    )
    says = f"{says}: {failure.fed}.T for one sample"
    return says, failure.refed("{}.T") if failure.given is not None else None


def weight_replaced(failure: Failure, keyword: str, wants: int, came: int) -> str:
    """Where another size than the layer's would not help: its weight is another layer's too, or its size or
    weight was set after it was made."""
    layer = failure.live.layer
    weights = [each for each in layer.held if each.name.endswith(".weight")] if layer else []
    if layer is None or not weights:
        return ""
    made, shape = layer.settings.get(keyword, wants), weights[0].shape
    if layer.tied_to:
        says = f"`{layer.path}` gets {came}, but its weight {shape}, which is that of `{layer.tied_to}`"
        return (
            f"{says}, takes {wants}: tied weights need one size for both, or a projection before it"
        )
    says = f"`{layer.path}` has {keyword}={made}, but its weight {shape} takes {wants}"
    return f"{says}: one of the two was set afterwards; make a new layer" if made != wants else ""


def more_padding(failure: Failure, wants: str, came: str) -> str:
    """How much padding makes room for a kernel, "3 x 3" of an input "2 x 2"."""
    pairs = zip(came.split(" x "), wants.split(" x "), strict=True)
    more = max((int(size) - int(there) + 1) // 2 for there, size in pairs)
    padding = failure.live.layer.settings.get("padding") if failure.live.layer else None
    if isinstance(padding, tuple):
        return f"padding={max(padding) + more}"
    return f"{more} more padding on each side"
