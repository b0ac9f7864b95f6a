"""Where a layer is not to be made for the size that came: matrices without a layer, columns for rows, weights
that were replaced."""

from __future__ import annotations

import math
import re

from keng.explain.failure import Failure
from keng.model import Fix

PRODUCT = re.compile(r"\b(?:torch\.)?(?:matmul|mm)\((\w[\w.]{0,60}), (\w[\w.]{0,60})\)")
"""Of two matrices that have names."""
OF_CHANNELS = re.compile(r"input planes|Need input|input frame")
OF_NO_LAYER = re.compile(r"\b(?:matmul|b?mm)\(|[\w)\]] @ [\w(]")
FEW = 16
"""Scores and actions are mostly so few, and the features that a wide layer takes are more."""
PACKAGE = re.compile(r"(?:site|dist)-packages/(\w+)/")
CHANNELS, FEATURES = 3, 512
"""Of a picture, and the fewest that a network makes of one."""
IMAGENET, BACKBONE = 1000, 256
"""What the heads of pretrained models give, and the fewest features before them."""
MOST_CLASSES = 20
"""About as many as a program has of its own."""
ENCODED = {768, 1024, 1152, 1280, 1536, 1664, 2048, 2560, 3072, 3584, 4096, 5120}
WIDE_POWERS = {1024, 2048, 4096}
"""Widths of pretrained encoders, and those that layers of one's own have as well."""
MOST_OUTPUTS = 200
"""Layers with more of them have widths that others have as well."""


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


def made_for_what_came(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None]:
    """The size that a linear layer would be made with, and what may be wrong in its place; the sizes of which
    its input was flattened tell that nothing else is."""
    given, size = failure.given, f": in_features={came}"
    if given is not None and (sizes := given.viewed[1:]) and math.prod(sizes) == came:
        size, other = f" = {' * '.join(map(str, sizes))}{size}", ""
    else:
        other = otherwise(wants, came, int(failure.groups.get("out") or 0))
    fitting = not other.startswith(", or")
    return f"{size}{other}", failure.remade("in_features", 0, wants, came) if fitting else None


def without_numbers(failure: Failure) -> str:
    """Of a message that names no sizes: those of features, or of channels."""
    what, dim, setting, of = "features", -1, "in_features", "size"
    if OF_CHANNELS.search(failure.message):
        what, dim, setting, of = "channels", 1, "in_channels", "mode"
    says = f"{failure.layer} takes another number of {what} than it gets, x.size({dim})"
    return f"{says}: that for {setting}, or images of the {of} that was planned"


def two_matrices(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None]:
    """Where only the second of two matrices, turned round, makes them fit, that is the fix."""
    there = failure.live.operands
    named = [tuple(each.name for each in there)]
    if len(there) != 2:
        named = PRODUCT.findall(failure.line or failure.around)
    if len(named) != 1:
        return of_no_name(failure, wants, came), None
    one, other = named[0]
    says, fits = f"`{one}` has {came} columns, but `{other}` has {wants} rows", f"{other}.T"
    turned = failure.groups.get("out") == str(came) != str(wants)
    if there and there[1].shape == (came, wants):  # F.linear has turned it already
        says = f"weights of F.linear are (out, in), and `{other}` is {there[1].shape}"
    elif [len(each.shape) for each in there] != [2, 2] or there[0].shape[0] == wants:
        return f"{says}; {fits} has {came}" if turned else says, None
    elif there[1].shape[1] != came:
        return says, None
    return f"{says}: {fits}", failure.turned(other, "{}.T")


def of_no_name(failure: Failure, wants: int, came: int) -> str:
    """Of two matrices that nobody has named: most often the input and the weight of a layer."""
    if (column := one_below_the_other(failure, wants, came)) is not None:
        return column[0]
    if came == CHANNELS and wants >= FEATURES:
        picture = f"{came} columns, as the channels of a picture, meet {wants} rows"
        return f"{picture}: what makes {wants} features of it was cut off or left out"
    rows, out = (int(failure.groups.get(name) or 0) for name in ("rows", "out"))
    if not_flattened(rows, wants, came):
        return f"{came} columns meet {wants} rows, those of whole images: x.flatten(1) before the layer"
    if scores := scores_for_features(failure, wants, came):
        return scores
    if OF_NO_LAYER.search(failure.line):
        says = f"{came} columns of the first meet {wants} rows of the second"
        return f"{says}: one of them turned round, x.mT, or both made for one size"
    says = f"{came} columns meet {wants} rows: in_features={came} in an nn.Linear of your own"
    if "invalid gradient" in failure.message:
        return f"{says}, or, of a backward of your own, a gradient as large as its input"
    turned = ", or, of two matrices, the second turned round" if came == out > wants else ""
    before = f", or mend what comes before it, as a finished model keeps its {wants}"
    return f"{says}{turned or otherwise(wants, came, out) or before}"


def not_flattened(rows: int, wants: int, came: int) -> bool:
    """Whether a layer for all values of a sample, of a square image or of a column, was given rows of it."""
    if came == 1:
        return rows % wants == 0 < wants < rows
    whole = wants == 3 * came * came or (wants == came * came and came.bit_count() > 1)
    return whole and came >= 8 and rows * came % wants == 0


def otherwise(wants: int, came: int, out: int) -> str:
    """Where another size of the layer may be the wrong thing to change: what the numbers tell of its input,
    to follow the size that would fit."""
    if not came:
        return ""
    if came == IMAGENET and wants >= BACKBONE:
        return (
            ", or, as a pretrained model gives 1000 classes, its head off: model.fc = nn.Identity()"
        )
    if came == 2 * wants and wants > MOST_CLASSES:
        return ", as of two directions, of two tensors that are joined, or of a wider model"
    if {came, wants} <= ENCODED and {came, wants} - WIDE_POWERS:
        return ", or, in a finished model, the text or image encoder that it was trained with"
    if wants == 2 * came and came > MOST_CLASSES:
        return f", or, where {wants} are of two, torch.cat of both, or bidirectional=True"
    if came == out < wants and came <= MOST_OUTPUTS:
        says = f", or leave the layer out: {out} is what it gives"
        return f"{says}, so that this is its output already, perhaps"
    if came <= MOST_CLASSES and wants >= 4 * came:
        return ", or, where these are the scores of classes already, leave the layer out"
    return of_larger_images(wants, came)


def of_larger_images(wants: int, came: int) -> str:
    """The same of square maps that were flattened, with as many channels: not where the layers before them
    were counted a little wrong."""
    channels = math.gcd(came, wants)
    sides = [math.isqrt(size // channels) for size in (came, wants)]
    squares = [channels * side * side for side in sides] == [came, wants]
    if not squares or 2 * max(sides) < 3 * min(sides):
        return ""
    maps = f"maps of {sides[0]} x {sides[0]} for {sides[1]} x {sides[1]}"
    if min(sides) == 1 and max(sides).bit_count() == 1:  # widths of layers differ so as well
        return f", or, where {maps} are flattened, images of the size that was planned"
    says = f", or rather images of the size that was planned: {maps} were flattened"
    return f"{says}, or AdaptiveAvgPool2d(1) before that" if sides[1] == 1 else says


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
