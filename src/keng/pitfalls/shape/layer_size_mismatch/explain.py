"""Error messages: a layer gets an input of another size than it was made for."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from math import prod

from keng.explain.failure import Failure
from keng.explain.live import Operand
from keng.model import Fix, Hits, Message, say
from keng.pitfalls.shape._shared_explain import IMAGE_WORDS, made_before
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
TWICE_AS_WIDE = "two-directions-or-tensors"
ALPHA, ALPHA_FOLDED = "alpha-channel", "alpha-channel-folded"
OF_IMAGES = ("or-planned-images", "planned-images-or-pooling", "planned-images")
MAPS = re.compile(r"conv|pool|image|patch|torchvision|timm|resnet|flatten|pixel", re.IGNORECASE)
"""In the text of a program that has feature maps, or may get them from elsewhere."""
MOST_OUTPUTS = 200
"""Layers with more of them have widths that others have as well."""


@explains("features")
def features(failure: Failure) -> Hits:
    rows, came, wants = (int(failure.groups[name]) for name in ("rows", "came", "wants"))
    given = failure.input
    joined = rows * came % wants == wants % came == 0
    if (known := _one_size_is_not_it(failure, wants, came)) is not None:
        yield failure.hit(*known)
    elif prod(given.shape[1:]) == wants if given is not None else joined:
        flat = say("flatten-first", name=failure.input_name, came=came)
        says = say("features-differ", layer=failure.layer, wants=wants, came=came, advice=flat)
        yield failure.hit(says, sure=given is not None or _not_flattened(rows, wants, came))
    elif (at := _moved_to(failure, wants)) is not None:
        name = failure.input_name
        moved = say("features-moved", layer=failure.layer, wants=wants, came=came, name=name, at=at)
        yield failure.hit(moved, failure.rewrite_input(f"{{}}.transpose({at}, -1)"), wants=wants)
    else:
        advice, fix = _made_for_what_came(failure, wants, came)
        says = say("features-differ", layer=failure.layer, wants=wants, came=came, advice=advice)
        yield failure.hit(says, fix=fix, wants=wants, came=came)


def _moved_to(failure: Failure, wants: int) -> int | None:
    """The dimension that has the features, where a line before the layer moved them there."""
    given, trail = failure.input, failure.live.trail
    notes = [step.note for step in trail.steps] if trail is not None else []
    moved = [note for note in notes if isinstance(note, Message) and note.id == "trail_moved"]
    if given is None or not moved or given.shape.count(wants) != 1:
        return None
    at = given.shape.index(wants)
    return at if 0 < at < len(given.shape) - 1 else None


@explains("channels")
def channels(failure: Failure) -> Hits:
    came, wants = int(failure.groups["came"]), int(failure.groups["wants"])
    shape = [int(size) for size in failure.groups["shape"].split(",")]
    layer = failure.layer
    if _channels_come_last(shape, wants, failure.groups["weight"]):
        advice, fix = _put_second(failure, shape)
        says = say("channels-differ", layer=layer, wants=wants, came=came, advice=advice)
        yield failure.hit(says, fix)
    elif (came_as := _without_channels(failure, shape, wants)) is not None:
        name = failure.input_name
        yield failure.hit(
            say("channel-missing", layer=layer, wants=wants, came=came, name=name, shape=came_as),
            failure.rewrite_input("{}.unsqueeze(1)"),
            sure=failure.input is not None,
        )
    elif came % int(failure.groups["groups"]):
        says = say("groups-do-not-divide", layer=layer, wants=wants, came=came)
        yield failure.hit(says, wants=wants, came=came)
    elif replaced := _weight_replaced(failure, "in_channels", wants, came):
        yield failure.hit(replaced)
    else:
        advice = _channels_for(failure, shape, wants, came)
        rebuilt = advice.id not in (ALPHA, ALPHA_FOLDED)
        fix = failure.rebuild_layer("in_channels", 0, wants, came) if rebuilt else None
        if (before := made_before(failure, "in_channels", 0, wants, came)) is not None:
            advice, fix = before
        says = say("channels-differ", layer=layer, wants=wants, came=came, advice=advice)
        yield failure.hit(says, fix=fix, wants=wants, came=came)


@explains("extent")
def extent(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    more = _more_padding(wants, came)
    padding = failure.live.layer.settings.get("padding") if failure.live.layer else None
    if isinstance(padding, tuple):
        more += max(padding)
        says = say(
            "kernel-exceeds-padded", layer=failure.layer, wants=wants, came=came, padding=more
        )
    else:
        says = say("kernel-exceeds-input", layer=failure.layer, wants=wants, came=came, more=more)
    yield failure.hit(says)


@explains("nothing-left")
def nothing_left(failure: Failure) -> Hits:
    came, left = (failure.groups[n].replace(" ", "").replace("x", " x ") for n in ("came", "left"))
    yield failure.hit(say("output-too-small", layer=failure.layer, came=came, left=left))


@explains("features-without-their-numbers")
def features_without_their_numbers(failure: Failure) -> Hits:
    if OF_CHANNELS.search(failure.message):
        yield failure.hit(say("channels-without-numbers", layer=failure.layer))
    else:
        yield failure.hit(say("features-without-numbers", layer=failure.layer))


def _one_size_is_not_it(
    failure: Failure, wants: int, came: int
) -> tuple[Message, Fix | None] | None:
    """Of two matrices where none is a layer's weight, or one that is no more what its layer was made with."""
    if not failure.in_layer("Linear"):
        return _two_matrices(failure, wants, came)
    if (column := _one_below_the_other(failure, wants, came)) is not None:
        return column
    says = _weight_replaced(failure, "in_features", wants, came)
    says = says or _scores_for_features(failure, wants, came) or _of_a_library(failure, wants, came)
    return (says, None) if says else None


def _two_matrices(failure: Failure, wants: int, came: int) -> tuple[Message, Fix | None]:
    """Where only the transpose of the second of two matrices fits, that is the fix."""
    there = failure.live.operands
    named = [tuple(each.name for each in there)]
    if len(there) != 2:
        named = PRODUCT.findall(failure.line or failure.surrounding)
    if len(named) != 1:
        return _of_no_name(failure, wants, came), None
    if there and not _are_the_two(there, wants, came):
        return _of_no_name(failure, wants, came), None  # a product inside what was called
    one, other = named[0]
    turned = failure.groups.get("out") == str(came) != str(wants)
    fix = failure.rewrite(other, "{}.T")
    if there and there[1].shape == (came, wants):  # F.linear has transposed it already
        return say("weight-of-linear", name=other, shape=there[1].shape), fix
    if [len(each.shape) for each in there] != [2, 2] or there[0].shape[0] == wants:
        if turned:
            return say("second-transposed-fits", one=one, came=came, other=other, wants=wants), None
        return say("columns-and-rows", one=one, came=came, other=other, wants=wants), None
    if there[1].shape[1] != came:
        return say("columns-and-rows", one=one, came=came, other=other, wants=wants), None
    return say("second-is-transposed", one=one, came=came, other=other, wants=wants), fix


def _are_the_two(there: Sequence[Operand], wants: int, came: int) -> bool:
    """Whether two tensors have the sizes of the message: columns of the first, rows of the second."""
    first, second = (each.shape for each in there)
    return first[-1:] == (came,) and (wants in second[-2:] or second[:1] == (wants,))


def _of_no_name(failure: Failure, wants: int, came: int) -> Message:
    """Of two matrices that nobody has named: most often the input and the weight of a layer."""
    if (column := _one_below_the_other(failure, wants, came)) is not None:
        return column[0]
    if came == CHANNELS and wants >= FEATURES:
        return say("picture-for-features", came=came, wants=wants)
    rows, out = (int(failure.groups.get(name) or 0) for name in ("rows", "out"))
    if _not_flattened(rows, wants, came):
        return say("whole-images", came=came, wants=wants)
    if scores := _scores_for_features(failure, wants, came):
        return scores
    if OF_NO_LAYER.search(failure.line):
        return say("matrices-apart", came=came, wants=wants)
    advice = _otherwise(wants, came, out) or say("own-or-finished", came=came, wants=wants)
    if "invalid gradient" in failure.message:
        advice = say("gradient-of-backward", came=came)
    elif came == out > wants:
        advice = say("or-transpose-second", came=came)
    return say("columns-meet-rows", came=came, wants=wants, advice=advice)


def _one_below_the_other(
    failure: Failure, wants: int, came: int
) -> tuple[Message, Fix | None] | None:
    """Of the features of one sample that are in a column, where a layer takes them in a row."""
    given = failure.input.shape if failure.input is not None else (wants, 1)
    if not came == 1 < wants == int(failure.groups["rows"]) or given != (wants, 1):
        return None
    says = say("features-in-a-column", wants=wants, name=failure.input_name)
    return says, failure.rewrite_input("{}.T") if failure.input is not None else None


def _not_flattened(rows: int, wants: int, came: int) -> bool:
    """Whether a layer for all values of a sample, of a square image or of a column, was given rows of it."""
    if came == 1:
        return rows % wants == 0 < wants < rows
    whole = wants == 3 * came * came or (wants == came * came and came.bit_count() > 1)
    return whole and came >= 8 and rows * came % wants == 0


def _scores_for_features(failure: Failure, wants: int, came: int) -> Message | None:
    """What numbers are that are no longer features, but were made of them; None where they may be."""
    if int(failure.groups["rows"]) * came % wants == 0 == wants % came:
        return None  # as of what was not flattened
    if 1 < came == int(failure.groups.get("out") or 0) and wants > 4 * came:
        return say("last-layer-twice", wants=wants, came=came)
    if 1 < came <= FEW and wants >= max(64, 8 * came):
        return say("scores-for-features", wants=wants, came=came)
    return None


def _otherwise(wants: int, came: int, out: int) -> Message | None:
    """What to do where another size of the layer may be the wrong thing to change, by what the numbers tell of its
    input."""
    if not came:
        return None
    if came == IMAGENET and wants >= BACKBONE:
        return say("or-remove-head", came=came)
    if came == 2 * wants and wants > MOST_CLASSES:
        return say("two-directions-or-tensors", came=came)
    if {came, wants} <= ENCODED and {came, wants} - WIDE_POWERS:
        return say("or-its-encoder", came=came)
    if wants == 2 * came and came > MOST_CLASSES:
        return say("or-join-two", came=came, wants=wants)
    if came == out < wants and came <= MOST_OUTPUTS:
        return say("or-output-already", came=came)
    if came <= MOST_CLASSES and wants >= 4 * came:
        return say("or-scores-already", came=came)
    return _of_larger_images(wants, came)


def _of_larger_images(wants: int, came: int) -> Message | None:
    """The same of square maps that were flattened, with as many channels: not where the layers before them
    were counted a little wrong."""
    channels = math.gcd(came, wants)
    one, other = (math.isqrt(size // channels) for size in (came, wants))
    squares = [channels * side * side for side in (one, other)] == [came, wants]
    if not squares or 2 * max(one, other) < 3 * min(one, other):
        return None
    if min(one, other) == 1 and max(one, other).bit_count() == 1:
        # widths of layers differ so as well
        return say("or-planned-images", came=came, one=one, other=other)
    if other == 1:
        return say("planned-images-or-pooling", came=came, one=one)
    return say("planned-images", came=came, one=one, other=other)


def _weight_replaced(failure: Failure, keyword: str, wants: int, came: int) -> Message | None:
    """Where another size than the layer's would not help: its weight is another layer's too, or its size or
    weight was set after it was made."""
    layer = failure.live.layer
    weights = [each for each in layer.held if each.name.endswith(".weight")] if layer else []
    if layer is None or not weights:
        return None
    made, shape, path = layer.settings.get(keyword, wants), weights[0].shape, layer.path
    if layer.tied_to:
        other = layer.tied_to
        return say("tied-weight", path=path, came=came, shape=shape, other=other, wants=wants)
    if made == wants:
        return None
    return say(
        "size-set-afterwards", path=path, keyword=keyword, made=made, shape=shape, wants=wants
    )


def _of_a_library(failure: Failure, wants: int, came: int) -> Message | None:
    """Of a layer that an installed package has made, whose size is not the user's to change in its code."""
    outside = [frame.posix for frame in failure.frames if "/torch/" not in frame.posix]
    found = PACKAGE.search(outside[-1]) if outside else None
    return say("layer-of-library", library=found[1], wants=wants, came=came) if found else None


def _made_for_what_came(failure: Failure, wants: int, came: int) -> tuple[Message, Fix | None]:
    """The size that a linear layer would be made with, and what may be wrong in its place; the sizes of which
    its input was flattened tell that nothing else is."""
    given, fix = failure.input, failure.rebuild_layer("in_features", 0, wants, came)
    before = made_before(failure, "in_features", 0, wants, came)
    if before is not None:
        return before
    if given is not None and (sizes := given.viewed[1:]) and math.prod(sizes) == came:
        product = " * ".join(map(str, sizes))
        return say("set-in-features-of", product=product, came=came), fix
    advice = _otherwise(wants, came, int(failure.groups.get("out") or 0))
    if advice is not None and advice.id in OF_IMAGES and _has_no_maps(failure):
        advice = None
    if advice is None:
        return say("set-in-features", came=came), fix
    return advice, fix if advice.id == TWICE_AS_WIDE else None


def _has_no_maps(failure: Failure) -> bool:
    """Whether the live layer is one of a file that has nothing to do with images, whose widths may differ
    by a square as well."""
    code = failure.program
    return failure.live.layer is not None and code is not None and not MAPS.search(code.text)


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


def _put_second(failure: Failure, shape: Sequence[int]) -> tuple[Message, Fix | None]:
    """How channels that come last are put where a convolution looks for them. It puts a 1 before what has
    no batch, which a message does not tell apart from a batch of one."""
    dims = len(failure.input.shape) if failure.input is not None else len(shape)
    batch = dims - len(shape) + 1  # 0 without one
    order = (*range(batch), dims - 1, *range(batch, dims - 1))
    name = failure.input_name
    if failure.input is None and shape[0] == 1:
        single = (len(shape) - 2, *range(len(shape) - 2))
        return say("channels-last-or-single", name=name, order=order, single=single), None
    return say("channels-last", name=name, order=order), failure.rewrite_input(
        f"{{}}.permute{order}"
    )


def _without_channels(failure: Failure, shape: Sequence[int], wants: int) -> tuple[int, ...] | None:
    """The shape of grey images in a batch, of which a convolution takes the batch for the channels of one
    image, and puts a 1 before it. Up to four may be the channels of one image."""
    given = failure.input.shape if failure.input is not None else tuple(shape[1:])
    taken = shape[0] == wants == 1 and tuple(shape[1:]) == given and given[0] > 4
    return given if taken else None


def _channels_for(failure: Failure, shape: Sequence[int], wants: int, came: int) -> Message:
    """What to do where a convolution takes other channels, above all those of images. A stem that folds
    pixels into channels multiplies both."""
    if 1 < wants == int(failure.groups["groups"]):
        return say("in-channels-and-groups", came=came, wants=wants)
    if len(shape) != 4 or failure.groups["groups"] != "1":
        return _other_input(shape, wants, came)
    if (wants, came) in ((3, 1), (1, 3)):
        return say("or-convert-image", came=came, mode="RGB" if wants == 3 else "L")
    folded, rest = divmod(wants, 3)
    if rest or came != 4 * folded or math.isqrt(folded) ** 2 != folded:
        return _other_input(shape, wants, came)
    if folded == 1:
        return say("alpha-channel")
    if any(map(failure.contains, IMAGE_WORDS)):
        return say("alpha-channel-folded", came=came, wants=wants, folded=folded)
    return _other_input(shape, wants, came)


def _other_input(shape: Sequence[int], wants: int, came: int) -> Message:
    """Where a layer was made for the right channels, and its input may be wrong."""
    if len(shape) == 3 and wants in BANDS:
        return say("or-bands", came=came, wants=wants)
    if len(shape) == 3:
        return say("or-series", came=came, wants=wants)
    if len(shape) == 4 and shape[0] == wants == 3:
        return say("or-channels-first", came=came, wants=wants)
    if wants in LATENTS and came in (3, *LATENTS):
        return say("or-latents", came=came)
    if 3 < wants < came < wants + 3 < 15:
        return say("or-alpha-joined", came=came)
    if wants == 2 * came:
        return say("or-join-maps", came=came, wants=wants)
    if wants in (1, 3):
        return say("or-images-of-channels", came=came, wants=wants)
    return say("or-layer-before", came=came, wants=wants)


def _more_padding(wants: str, came: str) -> int:
    """How much more padding on each side makes room for a kernel, "3 x 3" of an input "2 x 2"."""
    pairs = zip(came.split(" x "), wants.split(" x "), strict=True)
    return max((int(size) - int(there) + 1) // 2 for there, size in pairs)
