"""Error messages: a layer gets an input of another size than it was made for."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from math import prod

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.pitfalls.shape._shared_explain import ALPHA, IMAGE_WORDS
from keng.rules import explains

BANDS = (80, 100, 128)
"""Mel bands that models of speech are made for."""
LATENTS = (4, 16)
"""Channels of what autoencoders of diffusion models give."""
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


@explains("features")
def features(failure: Failure) -> Hits:
    rows, came, wants = (int(failure.groups[name]) for name in ("rows", "came", "wants"))
    given, says = failure.input, f"{failure.layer} takes {wants} features, but gets {came}"
    joined = rows * came % wants == wants % came == 0
    if (known := _one_size_is_not_it(failure, wants, came)) is not None:
        yield failure.hit(*known)
    elif prod(given.shape[1:]) == wants if given is not None else joined:
        says += f": flatten its input first, as in {failure.input_name}.flatten(1), or in_features={came}"
        yield failure.hit(says, sure=given is not None or _not_flattened(rows, wants, came))
    else:
        cure, fix = _made_for_what_came(failure, wants, came)
        yield failure.hit(f"{says}{cure}", fix=fix, wants=wants, came=came)


@explains("channels")
def channels(failure: Failure) -> Hits:
    came, wants = int(failure.groups["came"]), int(failure.groups["wants"])
    shape = [int(size) for size in failure.groups["shape"].split(",")]
    says = f"{failure.layer} takes {wants} channels, but gets {came}"
    if _channels_come_last(shape, wants, failure.groups["weight"]):
        turned, fix = _put_second(failure, shape)
        yield failure.hit(f"{says}: the channels are the last dimension; {turned}", fix)
    elif (came_as := _without_channels(failure, shape, wants)) is not None:
        says += f": `{failure.input_name}` of shape {came_as} lacks the dimension of its channel"
        yield failure.hit(
            says, failure.rewrite_input("{}.unsqueeze(1)"), sure=failure.input is not None
        )
    elif came % int(failure.groups["groups"]):
        yield failure.hit(f"{says}, which its groups do not divide", wants=wants, came=came)
    elif replaced := _weight_replaced(failure, "in_channels", wants, came):
        yield failure.hit(replaced)
    else:
        cure = _channels_for(failure, shape, wants, came)
        fix = (
            failure.rebuild_layer("in_channels", 0, wants, came) if cure.startswith("in_") else None
        )
        yield failure.hit(f"{says}: {cure}", fix=fix, wants=wants, came=came)


@explains("extent")
def extent(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    says = f"{failure.layer} has a kernel of {wants}, but only {came} arrives, padding included"
    number = _more_padding(failure, wants, came)
    yield failure.hit(f"{says}: larger inputs, less pooling, or {number}")


@explains("nothing-left")
def nothing_left(failure: Failure) -> Hits:
    came, left = (failure.groups[n].replace(" ", "").replace("x", " x ") for n in ("came", "left"))
    says = say("gets-would-leave-larger", left=failure.layer, came=came, left_2=left)
    yield failure.hit(says)


@explains("features-without-their-numbers")
def features_without_their_numbers(failure: Failure) -> Hits:
    yield failure.hit(_without_numbers(failure))


def _one_size_is_not_it(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None] | None:
    """Of two matrices where none is a layer's weight, or one that is no more what its layer was made with."""
    if not failure.in_layer("Linear"):
        return _two_matrices(failure, wants, came)
    if (column := _one_below_the_other(failure, wants, came)) is not None:
        return column
    says = _weight_replaced(failure, "in_features", wants, came)
    says = says or _scores_for_features(failure, wants, came) or _of_a_library(failure, wants, came)
    return (says, None) if says else None


def _two_matrices(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None]:
    """Where only the second of two matrices, turned round, makes them fit, that is the fix."""
    there = failure.live.operands
    named = [tuple(each.name for each in there)]
    if len(there) != 2:
        named = PRODUCT.findall(failure.line or failure.surrounding)
    if len(named) != 1:
        return _of_no_name(failure, wants, came), None
    one, other = named[0]
    says, fits = f"`{one}` has {came} columns, but `{other}` has {wants} rows", f"{other}.T"
    turned = failure.groups.get("out") == str(came) != str(wants)
    if there and there[1].shape == (came, wants):  # F.linear has turned it already
        says = f"weights of F.linear are (out, in), and `{other}` is {there[1].shape}"
    elif [len(each.shape) for each in there] != [2, 2] or there[0].shape[0] == wants:
        return f"{says}; {fits} has {came}" if turned else says, None
    elif there[1].shape[1] != came:
        return says, None
    return f"{says}: {fits}", failure.rewrite(other, "{}.T")


def _of_no_name(failure: Failure, wants: int, came: int) -> str:
    """Of two matrices that nobody has named: most often the input and the weight of a layer."""
    if (column := _one_below_the_other(failure, wants, came)) is not None:
        return column[0]
    if came == CHANNELS and wants >= FEATURES:
        picture = f"{came} columns, as the channels of a picture, meet {wants} rows"
        return f"{picture}: what makes {wants} features of it was cut off or left out"
    rows, out = (int(failure.groups.get(name) or 0) for name in ("rows", "out"))
    if _not_flattened(rows, wants, came):
        return f"{came} columns meet {wants} rows, those of whole images: x.flatten(1) before the layer"
    if scores := _scores_for_features(failure, wants, came):
        return scores
    if OF_NO_LAYER.search(failure.line):
        says = f"{came} columns of the first meet {wants} rows of the second"
        return f"{says}: one of them turned round, x.mT, or both made for one size"
    says = f"{came} columns meet {wants} rows: in_features={came} in an nn.Linear of your own"
    if "invalid gradient" in failure.message:
        return f"{says}, or, of a backward of your own, a gradient as large as its input"
    turned = ", or, of two matrices, the second turned round" if came == out > wants else ""
    before = f", or mend what comes before it, as a finished model keeps its {wants}"
    return f"{says}{turned or _otherwise(wants, came, out) or before}"


def _one_below_the_other(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None] | None:
    """Of the features of one sample that stand in a column, where a layer takes them in a row."""
    given = failure.input.shape if failure.input is not None else (wants, 1)
    if not came == 1 < wants == int(failure.groups["rows"]) or given != (wants, 1):
        return None
    says = (
        f"a linear layer takes {wants} features in a row, and here they stand one below the other"
    )
    says = f"{says}: {failure.input_name}.T for one sample"
    return says, failure.rewrite_input("{}.T") if failure.input is not None else None


def _not_flattened(rows: int, wants: int, came: int) -> bool:
    """Whether a layer for all values of a sample, of a square image or of a column, was given rows of it."""
    if came == 1:
        return rows % wants == 0 < wants < rows
    whole = wants == 3 * came * came or (wants == came * came and came.bit_count() > 1)
    return whole and came >= 8 and rows * came % wants == 0


def _scores_for_features(failure: Failure, wants: int, came: int) -> str:
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


def _otherwise(wants: int, came: int, out: int) -> str:
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
    return _of_larger_images(wants, came)


def _of_larger_images(wants: int, came: int) -> str:
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


def _weight_replaced(failure: Failure, keyword: str, wants: int, came: int) -> str:
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


def _of_a_library(failure: Failure, wants: int, came: int) -> str:
    """Of a layer that an installed package has made, whose size is not the user's to change in its code."""
    outside = [frame.posix for frame in failure.frames if "/torch/" not in frame.posix]
    found = PACKAGE.search(outside[-1]) if outside else None
    if found is None:
        return ""
    says = f"a layer of {found[1]} takes {wants} features, but gets {came}: give the model what it was made"
    return f"{says} for, or make it for {came} in its own settings"


def _made_for_what_came(failure: Failure, wants: int, came: int) -> tuple[str, Fix | None]:
    """The size that a linear layer would be made with, and what may be wrong in its place; the sizes of which
    its input was flattened tell that nothing else is."""
    given, size = failure.input, f": in_features={came}"
    if given is not None and (sizes := given.viewed[1:]) and math.prod(sizes) == came:
        size, other = f" = {' * '.join(map(str, sizes))}{size}", ""
    else:
        other = _otherwise(wants, came, int(failure.groups.get("out") or 0))
    fitting = not other.startswith(", or")
    return f"{size}{other}", failure.rebuild_layer(
        "in_features", 0, wants, came
    ) if fitting else None


def _channels_come_last(shape: Sequence[int], wants: int, weight: str) -> bool:
    """Whether the last dimension has as many as a convolution takes, and is none of a square map."""
    square = len(shape) == 4 and wants > 4 and shape[2] == shape[3]
    return (shape[-1] == wants and not square) or _padded_with_channels_last(shape, wants, weight)


def _padded_with_channels_last(shape: Sequence[int], wants: int, weight: str) -> bool:
    """Whether nearly square images of few channels came with these last, and a layer of padding "same" has
    taken width and channels for height and width: each grew by what its kernel and stride leave over."""
    if len(shape) != 4 or wants > 4 or abs(shape[1] - shape[2]) > 8 or shape[1] < 16:
        return False
    kernel = int(weight.rpartition(",")[2])
    left = [max((-(-wants // step) - 1) * step + kernel - wants, 0) for step in (1, 2, 4)]
    return shape[3] > wants and shape[3] - wants in left


def _put_second(failure: Failure, shape: Sequence[int]) -> tuple[str, Fix | None]:
    """How channels that come last are put where a convolution looks for them. It puts a 1 before what has
    no batch, which a message does not tell apart from a batch of one."""
    dims = len(failure.input.shape) if failure.input is not None else len(shape)
    batch = dims - len(shape) + 1  # 0 without one
    order = (*range(batch), dims - 1, *range(batch, dims - 1))
    single = f", or {(len(shape) - 2, *range(len(shape) - 2))} without a batch"
    says = f"{failure.input_name}.permute{order}"
    if failure.input is None and shape[0] == 1:
        return says + single, None
    return says, failure.rewrite_input(f"{{}}.permute{order}")


def _without_channels(failure: Failure, shape: Sequence[int], wants: int) -> tuple[int, ...] | None:
    """The shape of grey images in a batch, of which a convolution takes the batch for the channels of one
    image, and puts a 1 before it. Up to four may be the channels of one image."""
    given = failure.input.shape if failure.input is not None else tuple(shape[1:])
    taken = shape[0] == wants == 1 and tuple(shape[1:]) == given and given[0] > 4
    return given if taken else None


def _channels_for(failure: Failure, shape: Sequence[int], wants: int, came: int) -> str:
    """What to do where a convolution takes other channels, above all those of images. A stem that folds
    pixels into channels multiplies both."""
    cure = f"in_channels={came}{_other_input(shape, wants, came)}"
    if 1 < wants == int(failure.groups["groups"]):
        return f"in_channels={came} with groups={came}, or {wants} channels from the layer before"
    if len(shape) != 4 or failure.groups["groups"] != "1":
        return cure
    if (wants, came) in ((3, 1), (1, 3)):
        return f"in_channels={came}, or image.convert('{'RGB' if wants == 3 else 'L'}')"
    folded, rest = divmod(wants, 3)
    if rest or came != 4 * folded or math.isqrt(folded) ** 2 != folded:
        return cure
    if folded == 1:
        return f"an image {ALPHA}, or in_channels=4 where all four are meant"
    seen = any(map(failure.contains, IMAGE_WORDS))
    return f"{came} = 4 * {folded} for {wants} = 3 * {folded}, an image {ALPHA}" if seen else cure


def _other_input(shape: Sequence[int], wants: int, came: int) -> str:
    """Where a layer was made for the right channels, and what comes is wrong, after the number that came."""
    if len(shape) == 3:
        bands = wants in BANDS
        return f", or {f'spectrograms of {wants} bands (n_mels)' if bands else f'series of {wants} channels'}"
    if len(shape) == 4 and shape[0] == wants == 3:
        return f", or, as the {wants} come first and not second, x.transpose(0, 1)"
    if wants in LATENTS and came in (3, *LATENTS):
        return ", or, where it takes latents, those of the autoencoder that belongs to it"
    if 3 < wants < came < wants + 3 < 15:
        return ", or, where images with an alpha channel are joined in it, image.convert('RGB') for each"
    if wants == 2 * came:
        return f", or, where {wants} are of two maps, torch.cat of both, as in a U-Net"
    if wants in (1, 3):
        return f", or images of {wants} channels, as it was made for"
    return f", or out_channels={wants} in the layer before"


def _more_padding(failure: Failure, wants: str, came: str) -> str:
    """How much padding makes room for a kernel, "3 x 3" of an input "2 x 2"."""
    pairs = zip(came.split(" x "), wants.split(" x "), strict=True)
    more = max((int(size) - int(there) + 1) // 2 for there, size in pairs)
    padding = failure.live.layer.settings.get("padding") if failure.live.layer else None
    if isinstance(padding, tuple):
        return f"padding={max(padding) + more}"
    return f"{more} more padding on each side"


def _without_numbers(failure: Failure) -> str:
    """Of a message that names no sizes: those of features, or of channels."""
    what, dim, setting, of = "features", -1, "in_features", "size"
    if OF_CHANNELS.search(failure.message):
        what, dim, setting, of = "channels", 1, "in_channels", "mode"
    says = f"{failure.layer} takes another number of {what} than it gets, x.size({dim})"
    return f"{says}: that for {setting}, or images of the {of} that was planned"
