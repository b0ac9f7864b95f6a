"""What sizes tell of the images that they are of: channels too many, or another resolution."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Fix

ALPHA = "with its alpha channel; image.convert('RGB')"
NORMALIZED = re.compile(r"[Nn]ormali[sz]e|\bmean\b|\bstd\b")
IMAGE_WORDS = ("png", "PNG", "RGBA", "alpha", "ormalize", "ToTensor", "transforms")

SPECIAL = (1, 2, 5, 0)
"""Tokens beside those of the patches: of the class, of distillation, four registers; or none."""
LEAST = 7
"""Patches in a row of a pretrained model, at least: 224 pixels in patches of 32."""
POSITIONS = re.compile(r"\bpos\b|pos(?:ition(?:al)?)?_?(?:emb|enc)", re.IGNORECASE)
IMAGES = ("image", "img", "patch", "vit", "vision")
"""Words that tell squares from lengths of texts, which are powers of two as well."""


def patches(failure: Failure, came: int, wants: int) -> tuple[int, int] | None:
    """How many patches stand in a row, and in a row of the positions, where both numbers are squares."""
    last = failure.frames[-1].text if failure.frames else failure.around
    for special in SPECIAL:
        sides = [math.isqrt(max(n - special, 0)) for n in (came, wants)]
        if [side * side + special for side in sides] != [came, wants]:
            continue
        told = any(map(failure.shows, IMAGES)) and POSITIONS.search(last)
        if told or (special and min(sides) >= LEAST):
            return sides[0], sides[1]
    return None


def channels_for(failure: Failure, shape: Sequence[int], wants: int, came: int) -> str:
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
    seen = any(map(failure.shows, IMAGE_WORDS))
    return f"{came} = 4 * {folded} for {wants} = 3 * {folded}, an image {ALPHA}" if seen else cure


BANDS = (80, 100, 128)
"""Mel bands that models of speech are made for."""
LATENTS = (4, 16)
"""Channels of what autoencoders of diffusion models give."""


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


def channels_come_last(shape: Sequence[int], wants: int, weight: str) -> bool:
    """Whether the last dimension has as many as a convolution takes, and is none of a square map."""
    square = len(shape) == 4 and wants > 4 and shape[2] == shape[3]
    return (shape[-1] == wants and not square) or padded_with_channels_last(shape, wants, weight)


def put_second(failure: Failure, shape: Sequence[int]) -> tuple[str, Fix | None]:
    """How channels that come last are put where a convolution looks for them. It puts a 1 before what has
    no batch, which a message does not tell apart from a batch of one."""
    dims = len(failure.given.shape) if failure.given is not None else len(shape)
    batch = dims - len(shape) + 1  # 0 without one
    order = (*range(batch), dims - 1, *range(batch, dims - 1))
    single = f", or {(len(shape) - 2, *range(len(shape) - 2))} without a batch"
    says = f"{failure.fed}.permute{order}"
    if failure.given is None and shape[0] == 1:
        return says + single, None
    return says, failure.refed(f"{{}}.permute{order}")


def without_channels(failure: Failure, shape: Sequence[int], wants: int) -> tuple[int, ...] | None:
    """The shape of grey images in a batch, of which a convolution takes the batch for the channels of one
    image, and puts a 1 before it. Up to four may be the channels of one image."""
    given = failure.given.shape if failure.given is not None else tuple(shape[1:])
    taken = shape[0] == wants == 1 and tuple(shape[1:]) == given and given[0] > 4
    return given if taken else None


def padded_with_channels_last(shape: Sequence[int], wants: int, weight: str) -> bool:
    """Whether nearly square images of few channels came with these last, and a layer of padding "same" has
    taken width and channels for height and width: each grew by what its kernel and stride leave over."""
    if len(shape) != 4 or wants > 4 or abs(shape[1] - shape[2]) > 8 or shape[1] < 16:
        return False
    kernel = int(weight.rpartition(",")[2])
    left = [max((-(-wants // step) - 1) * step + kernel - wants, 0) for step in (1, 2, 4)]
    return shape[3] > wants and shape[3] - wants in left


def channels_beside_means(failure: Failure, one: int, other: int, dim: int) -> str:
    """What to write where an image of grey and alpha, or of colours and alpha, meets numbers for three."""
    if (one, other) not in ((4, 3), (2, 3)) or dim > 1:
        return ""
    last = failure.frames[-1].text if failure.frames else failure.around
    images = dim == 0 and any(map(failure.shows, IMAGE_WORDS))
    return f"an image {ALPHA}" if images or NORMALIZED.search(last) else ""


ROWS = re.compile(
    r"Target sizes: \[(?P<rows>\d{1,9}), \d{1,9}\]\.\s{1,3}Tensor sizes: \[(?P=rows)\]"
)
STRETCHED = re.compile(r"Target sizes: \[3, \d{2,6}, \d{2,6}\]\.\s{1,3}Tensor sizes: \[4, \d")


def stretched_otherwise(message: str, came: str, wants: str, dim: str) -> str:
    """What a tensor says that is to fill a place, or to be expanded to a size, of another size."""
    says = f"{came} cannot become {wants} in dimension {dim}"
    if STRETCHED.search(message):
        return f"{says}: an image {ALPHA}"
    if ROWS.search(message):
        return (
            f"{says}: one for each row is y[:, None], as a sum or norm keeps it with keepdim=True"
        )
    if wants == "0":
        says += ": the place that is written to is empty"
        return f"{says}, a slice past the end or a mask that chose nothing"
    if came == "0":
        says = f"what is to fill {wants} places of dimension {dim} has no elements"
        says += ": a slice behind the end of its tensor, as of one that is shorter than thought"
        return f"{says}, or a choice of nothing"
    says += ": only a size of 1 is stretched, and x[...] = y wants y as large as its place"
    if dim != "0":
        return says
    smaller = int(came) < int(wants)
    return f"{says}: {'of a smaller last batch, x[:len(y)]' if smaller else f'y[:{wants}], or room for more'}"


MOST_TIMES = 8
"""A batch that is larger by more is none."""


def another_resolution(there: int, shape: Sequence[int]) -> str:
    """Of images that are to be flattened row by row, and are larger than was planned for."""
    rows, planned = shape[0], math.prod(shape[1:])
    each, rest = divmod(there, rows)
    came, meant = _image_of(each), _image_of(planned)
    if rest or each <= planned or rows == 1 or not (came and meant):
        return ""
    larger = each % planned == 0 and each <= MOST_TIMES * planned
    batch = f"a batch of {there // planned}, view(x.size(0), ...), or " if larger else ""
    return f"{batch}images of {came} where {meant} are planned, {each} values for {planned}"


def _image_of(values: int) -> str:
    """ "3 * 224 * 224" where so many values are a square image of one channel or three; powers of two are
    widths of layers as well."""
    for channels in (3, 1) if values.bit_count() > 1 else ():
        side = math.isqrt(values // channels)
        if channels * side * side == values and side >= 8:
            return f"{channels} * {side} * {side}"
    return ""


def of_two_dimensions(sizes: Sequence[int]) -> str:
    """What to do where rows of numbers, or one grey image, [28, 28], come to what takes a batch of images."""
    if min(sizes) * 3 >= max(sizes) > 1:
        return "one grey image is x[None, None]"
    says = "features or flattened images, where images are taken"
    return f"{says}: those themselves, (N, C, H, W), or x.view(N, C, H, W)"


def turned_to_show(sizes: Sequence[int]) -> str:
    """What to do with an image that is to be shown, by its sizes."""
    if len(sizes) > 3:
        one = {1: "x[0, 0]", 3: "x[0].permute(1, 2, 0)", 4: "x[0].permute(1, 2, 0)"}
        return f"{one.get(sizes[1], 'x[0]')} is one of the batch"
    if sizes[0] == 1 or sizes[-1] == 1:
        return "x.squeeze() for one channel"
    return "x.permute(1, 2, 0) puts the channels last"


WHOLE = "x.astype('uint8') of 0 to 255"


def taken_by_pillow(dtype: str) -> str:
    """What to make of numbers for a picture: "<f4" and "|b1" are scaled, whole numbers are not."""
    whole = dtype[1] in "iu"
    return f"bytes, {WHOLE}" if whole else "bytes, (x * 255).byte() of 0 to 1"


def channels_taken(wants: str | None, came: str | None) -> str:
    """What to do with an image of other channels than a processor or a model takes."""
    if came and int(came) > 4:
        return "they come last: x.permute(0, 3, 1, 2) of a batch, x.permute(2, 0, 1) of one image"
    cure = f"convert('{'L' if wants == '1' else 'RGB'}') where it is read"
    return cure if came else f"{cure}, channels first"


FORMAT = (
    "pascal_voc is two corners in pixels, coco a corner, width and height, yolo shares of the image"
)


def box_mended(value: str | None) -> str:
    """What to do with a box that leaves the image by a side at this share of it, or is empty."""
    if value is None:
        return f"leave empty boxes out; {FORMAT}"
    return "cut it to the image" if abs(float(value) - 0.5) < 0.6 else FORMAT
