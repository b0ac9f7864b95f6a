"""Error messages: two shapes do not fit together element by element."""

from __future__ import annotations

import ast
import math
import re
from math import prod

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.pitfalls.shape._shared_explain import (
    ALPHA,
    IMAGE_WORDS,
    POWERS_OF_TWO,
    WIDTHS,
    position_table,
)
from keng.rules import explains
from keng.source import Code

NORMALIZED = re.compile(r"[Nn]ormali[sz]e|\bmean\b|\bstd\b")
ROWS = re.compile(
    r"Target sizes: \[(?P<rows>\d{1,9}), \d{1,9}\]\.\s{1,3}Tensor sizes: \[(?P=rows)\]"
)
STRETCHED = re.compile(r"Target sizes: \[3, \d{2,6}, \d{2,6}\]\.\s{1,3}Tensor sizes: \[4, \d")
TURNED = re.compile(r"\* ?(?:self\.)?(?:cos|sin)\b|freqs?\.cos\(\)|freqs_cis\b")
ROTARY = re.compile(r"rotary|rotate_half|rope\b|apply_rope", re.IGNORECASE)
NORMALIZES = re.compile(r"\b[Nn]ormalize\b")
NORMALIZE_FILE = re.compile(
    r"torchvision/transforms/(?:v2/functional/)?_?(?:functional|misc)\w*\.py$"
)
FUNCTIONS = "torch/nn/functional.py"
CHANNELS = {
    "1": "one channel, grey or a mask,",
    "2": "a grey image with an alpha channel",
    "4": "an image with a fourth channel, alpha,",
}
OF_IMAGES = re.compile(
    r"\b(?:images?|img\w*|resolution|pixels?|height|u-?net\w*)\b|upsampl|interpolat|conv\w*\(|max_?pool",
    re.IGNORECASE,
)
IMAGENET, MOST_CLASSES, MOST_CHANNELS = 1000, 100, 16
OF_A_LOSS = re.compile(r"\b(?:self\.)?(?:criterion|loss_f\w{1,8}|\w{0,10}[Ll]oss)\(")
FOR_CLASSES = (
    "class numbers go into nn.CrossEntropyLoss, one number for each row is y[:, None], "
    "and else both are made for one num_classes"
)
OR_ROWS = ", or y[:, None] where y has a number for each row"
OF_SEQUENCES = re.compile(r"att(?:entio)?n|\btoken|\bseq|\bposition", re.IGNORECASE)
POWERS = (2, 4, 8, 16, 32, 64)
NAME = r"(?:self\.)?[A-Za-z_]\w{0,40}"
OPERATOR = re.compile(r" (?:[-+*/@]|\*\*) ")
ONE_OPERATION = re.compile(
    rf"(?<![\w.)\]])(?P<one>{NAME}) (?P<sign>[-+*/]) (?P<other>{NAME})(?![\w.(\[])"
)
SUMMED = re.compile(rf"\b{NAME}\((?P<given>{NAME})\)")
UNKEPT = re.compile(
    rf"^(?P<name>{NAME}) (?:-|\+|==) (?P<call>{NAME}(?:\.\w{{1,40}}){{0,3}}\((?P=name)\))$"
)
"""A value that is computed and not kept: the key for `-` and `+` lies beside that for `=`."""
LOADED = re.compile(r"\w*state\w*\[\w{1,30}\](?:\.data)?\.copy_\(")
MOST_COLOURS = 4
ATTENDS = re.compile(r"att(?:entio)?n|scores?|logits|energy", re.IGNORECASE)
LABELS = re.compile(r"\b\w{0,20}(?:target|label|mask|(?<![a-z])gt(?![a-z]))\w{0,20}\b|\by\b")
LOSSES = {"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "soft_margin_loss"}
WARNED = re.compile(
    r"[Uu]sing a target size \(torch\.Size\(\[[\d, ]{1,60}\]\)\) that is different to the input size"
)
STEP = re.compile(r"\boptim\w*\.step\(")
MASKED = re.compile(r"\bmasked_fill|[-+*] ?\w{0,30}mask|mask(?:\[[^\]]{0,40}\])? ?[-+*]")
SAME = re.compile(r"[\w)\]] == [\w(]")
BATCHES = {8, 16, 32, 50, 64, 100, 128, 200, 256, 512}
"""Sizes of batches that people choose, above all where there are fewer classes."""


@explains("sizes-that-differ")
def sizes_that_differ(failure: Failure) -> Hits:
    one, other, dim = (int(failure.groups[name]) for name in ("one", "other", "dim"))
    says, cure = _met(failure, one, other, dim)
    size, fix = failure.ask_line(_inverse_of_odd, one, other) or ("", None)
    cure = "one is empty, a slice past the end or ZeRO-3's weight" if 0 in (one, other) else cure
    cure = f"irfft gives an even length unless it is told: `{size}`" if size else cure
    yield failure.hit(f"{says}: {cure}", fix, one=one, other=other)


@explains("stretched-too-little")
def stretched_too_little(failure: Failure) -> Hits:
    wants, came, dim = (failure.groups[name] for name in ("wants", "came", "dim"))
    yield failure.hit(_stretched_otherwise(failure.message, came, wants, dim))


@explains("changed-in-place-cannot-grow")
def changed_in_place_cannot_grow(failure: Failure) -> Hits:
    has, gets = failure.groups["has"], failure.groups["gets"]
    cure = _normalized_otherwise(failure, has, gets) or _weighed_otherwise(failure)
    says = f"({has}) is changed in place and would have to grow to ({gets})"
    yield failure.hit(f"{says}: {cure or _grown(has, gets)}")


@explains("mask-of-another-shape")
def mask_of_another_shape(failure: Failure) -> Hits:
    mask, tensor, at = (failure.groups[name] for name in ("mask", "tensor", "at"))
    says = f"a mask of ({mask}) for a tensor of ({tensor}): it marks elements one by one"
    there = int(failure.groups["there"] or at)
    yield failure.hit(
        _marked_elsewhere(mask, tensor, there) or says + _flattened_otherwise(mask, tensor, int(at))
    )


@explains("too-few-sizes")
def too_few_sizes(failure: Failure) -> Hits:
    what = f" of shape [{has}]" if (has := failure.groups.get("has")) else ""
    yield failure.hit(
        f"expand or repeat gets fewer sizes than the tensor{what} has dimensions, also where one is assigned to another"
    )


@explains("in-old-words")
def in_old_words(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(say("two-tensors-do-not", other=one, other_2=other))


@explains("in-an-old-kernel")
def in_an_old_kernel(failure: Failure) -> Hits:
    yield failure.hit(_weighed_otherwise(failure) or _not_stretched(failure.message))


def _inverse_of_odd(code: Code, _: int, one: int, other: int) -> tuple[str, Fix] | None:
    """How the one `irfft` of the file is told the length, where an even size meets the odd one above it;
    and a fix that does."""
    if min(one, other) % 2 or abs(one - other) != 1:
        return None
    calls = [*code.calls.calls_to("torch.fft.irfft")]
    call = calls[0] if len(calls) == 1 else None
    if call is None or code.calls.argument(call, "n", 1) is not None:
        return None
    home, ahead = code.tree.enclosing_function(call), code.calls.calls_to("torch.fft.rfft")
    here = [c for c in ahead if code.tree.enclosing_function(c) is home]
    given = here[0].args[:1] if len(here) == 1 else []
    if len(given) != 1 or not isinstance(given[0], (ast.Name, ast.Attribute)):
        return None
    size = f"n={code.text_of(given[0])}.shape[-1]"
    return size, code.edits.add_argument(call, size, "Tell it the length", "shown")


def _met(failure: Failure, one: int, other: int, dim: int) -> tuple[str, str]:
    """How two tensors meet, and what to do."""
    there = failure.live.operands
    says, cure = f"{one} and {other} meet in dimension {dim}", _halved_otherwise(failure)
    weighed = _weighed_otherwise(failure)
    told, todo = "", ""
    if len(there) != 2 and not weighed:
        told, todo = _told_of_two(failure, one, other, dim)
    if todo:
        return told, todo
    says = told or says
    if len(there) == 2:
        says = " and ".join(f"`{o.name}` has the shape {o.shape}" for o in there)
        long, short = sorted(there, key=lambda o: -len(o.shape))
        if len(short.shape) == 1 and long.shape[0] == short.shape[0]:
            cure = f"for its rows write {long.name} * {short.name}[:, None]"
    if weighed or (done := _done_by_the_line(failure, dim)):
        return says, weighed or done
    known = dim == 0 and _normalized_otherwise(failure, str(one), str(other))
    known = known or _channels_beside_means(failure, one, other, dim)
    return says, known or _beside_positions(failure, one, other, dim) or cure


def _halved_otherwise(failure: Failure) -> str:
    """What two sizes that meet, `one` and `other` in `dim`, tell where one is the other rounded to what a
    network halves the maps of an image by."""
    one, other, dim = (int(failure.groups[name]) for name in ("one", "other", "dim"))
    small, large = sorted((one, other))
    apart, plain = large - small, "one must be 1 or both the same"
    rounded = any(-small % each == apart or large % each == apart for each in POWERS)
    lines = (f"{frame.function} {frame.text}" for frame in failure.frames)
    shown = " ".join((failure.message, failure.context, *lines))
    if not rounded or not 2 <= dim <= 4 or small < 2 or OF_SEQUENCES.search(shown):
        there = [len(operand.shape) for operand in failure.live.operands]
        of_what = _of_what(small, large, dim)
        if dim == 1 and OF_A_LOSS.search(failure.line) and OR_ROWS in of_what:
            return f"{plain}; {FOR_CLASSES}"
        return f"{plain}; {of_what if 1 in there or not there else of_what.partition(OR_ROWS)[0]}"
    if OF_IMAGES.search(shown) is None:
        return f"{plain}; of maps of an image, pad it to a multiple of 32 or 64"
    return (
        "as when an image's size is no multiple of what the network halves it by: pad or resize it to a "
        "multiple of 32 or 64"
    )


def _of_what(small: int, large: int, dim: int) -> str:
    """What two sizes that meet in a dimension most often are of, and where they come to differ."""
    if large > 64 and small == large // 2 + 1:
        return (
            f"{small} = {large} / 2 + 1, as of frequencies: n_stft is n_fft // 2 + 1, of one n_fft"
        )
    times, rest = divmod(large, max(small, 1))
    if dim == 0 and small > 1 and not rest:
        says = f"{times} times as many, as where DataParallel splits a batch over cards"
        return f"{says}, or each sample gives {times}: make the other for x.size(0)"
    if dim == 0:
        return "as where a last batch is smaller than what was made for batch_size: make that for x.size(0)"
    if {small, large} <= WIDTHS and {small, large} - POWERS_OF_TWO:
        return "widths of two models: one hidden_size or d_model for both, or an nn.Linear between"
    if dim == 1:
        return _of_columns(small, large)
    if small in (3, 4) and large >= 16:
        says = f"the {small} are channels that come last in one, and not in the other"
        return f"{says}: x.permute(0, 3, 1, 2), or (2, 0, 1) without a batch"
    if small and not rest and times.bit_count() == 1:
        says = f"{times} times as large, as after a stride or an upsampling too many"
        return f"{says}, or of images of two sizes: F.interpolate one"
    return "maps or sequences of two sizes: F.interpolate, resize or pad one before"


def _of_columns(small: int, large: int) -> str:
    """The same of the second dimension: classes, channels, or the lengths of sequences."""
    if large == IMAGENET:
        says = "1000 are ImageNet's classes, as of a pretrained model or teacher"
        return f"{says}: num_classes is the same for both"
    if large == 2 * small > 2 * MOST_CHANNELS:
        return f"twice as many, as where torch.cat joined two, or of another width{OR_ROWS}"
    if small > MOST_CLASSES:
        return f"two lengths or widths, of sequences not padded to one or of two models{OR_ROWS}"
    if large - small == 1:
        return f"as of classes with and without the background, or num_classes of one part alone{OR_ROWS}"
    return f"num_classes or channels, of two parts that were set up otherwise{OR_ROWS}"


def _weighed_otherwise(failure: Failure) -> str:
    """What is wrong inside of a binary loss, which has compared its input and target before: nothing of
    another function."""
    last = failure.frames[-1].function if failure.raised_in.endswith(FUNCTIONS) else ""
    shapes = "(C,) beside scores of (N, C), (C, 1, 1) beside maps"
    told = f"`weight` or `pos_weight` of the loss does not fit the scores: a number for each class, {shapes}"
    return told if last.startswith("binary_cross_entropy") else ""


def _told_of_two(failure: Failure, one: int, other: int, dim: int) -> tuple[str, str]:
    """How the two meet, and what to do: nothing where nothing tells of them."""
    line = failure.frames[-1].text.strip() if failure.frames else ""
    if (unkept := UNKEPT.match(line)) is not None:
        says = f"`{line}` meets {one} with {other} in dimension {dim}, and keeps no result"
        return says, f"where it stands by itself, `{unkept['name']} = {unkept['call']}` is meant"
    if LOADED.search(line):
        says = f"a parameter has {one} in dimension {dim}, and {other} in the file"
        return says, "make the model of the sizes that the file has, or leave this one out"
    if _in_a_loss(failure):
        return _of_a_loss(one, other, dim)
    small, large = sorted((one, other))
    if (
        dim == 1
        and small in (3, 4)
        and large > MOST_COLOURS
        and LABELS.search(line)
        and not ATTENDS.search(line)
    ):
        says = f"{small} channels, as of a coloured mask, meet {large} classes"
        return says, "F.one_hot of its class numbers, (N, H, W), and permute(0, 3, 1, 2)"
    signs = OPERATOR.findall(line)
    found = ONE_OPERATION.findall(line)
    if len(signs) == len(found) == 1:
        return f"`{found[0][0]}` has {one} and `{found[0][2]}` {other} in dimension {dim}", ""
    given = list(dict.fromkeys(SUMMED.findall(line)))
    if {*signs} == {" + "} and len(given) == 2:
        says = f"what is made of `{given[0]}` has {one} in dimension {dim}, and what is made of `{given[1]}`"
        return f"{says} has {other}", "make both of one length before they are given"
    return "", ""


def _in_a_loss(failure: Failure) -> bool:
    """Whether a loss of torch.nn compares the two, or has warned before."""
    called = {frame.function for frame in failure.frames if "/torch/nn/" in frame.posix}
    return (
        bool(called & LOSSES) or WARNED.search(f"{failure.context}\n{failure.message}") is not None
    )


def _of_a_loss(one: int, other: int, dim: int) -> tuple[str, str]:
    says = f"the output of the model has {one} and the target {other} in dimension {dim}"
    if dim == 1 and one < other and other in BATCHES:
        cure = f"class numbers go into nn.CrossEntropyLoss; else the last layer for {other}"
        return says, f"{cure}, targets of {one}, or target[:, None]"
    if dim == 1:
        return says, f"as classes or channels: the last layer for {other}, or targets of {one}"
    return says, "a loss that compares one by one takes both of one shape"


def _done_by_the_line(failure: Failure, dim: int) -> str:
    """What the line at which two tensors meet is for, where that tells what is wrong; nothing else."""
    line = failure.line
    if STEP.search(line) or any("/torch/optim/" in frame.posix for frame in failure.frames[-2:]):
        says = "the optimizer's state is of parameters of other sizes, as of another model"
        return f"{says}: make it anew, after the model"
    if ".backward(" in line:
        return "a backward of your own gives a gradient as large as its input, or a tensor was resized since"
    if MASKED.search(line) and ATTENDS.search(line):
        if dim < 2:
            return (
                "scores are (batch, heads, length, length): mask[:, None, None] of (batch, length)"
            )
        return "the mask is for another length: make it of the tokens that came, with those in the cache"
    if dim == 1 and SAME.search(line) and LABELS.search(line.partition("==")[2]):
        return "scores meet labels: scores.argmax(1) == labels"
    return ""


def _normalized_otherwise(failure: Failure, has: str, gets: str) -> str:
    """What a transform that has the means of three channels says of an image that has others, "1, 8, 8" or
    "4": nothing where none is shown to be at work."""
    channels, *size = has.split(", ")
    function = failure.frames[-1].function if failure.frames else ""
    shown = (failure.line, failure.message, failure.surrounding, function)
    named = any(map(NORMALIZES.search, shown)) or NORMALIZE_FILE.search(failure.raised_in)
    alone = len(size) == 2 and not failure.frames  # few others do this in place
    if not (named or alone) or channels not in CHANNELS or gets.split(", ") != ["3", *size]:
        return ""
    own = ", or Normalize((0.5,), (0.5,))" if channels == "1" else ""
    return f"{CHANNELS[channels]} meets the three means of Normalize: image.convert('RGB'){own}"


def _channels_beside_means(failure: Failure, one: int, other: int, dim: int) -> str:
    """What to write where an image of grey and alpha, or of colours and alpha, meets numbers for three."""
    if (one, other) not in ((4, 3), (2, 3)) or dim > 1:
        return ""
    last = failure.frames[-1].text if failure.frames else failure.surrounding
    images = dim == 0 and any(map(failure.contains, IMAGE_WORDS))
    return f"an image {ALPHA}" if images or NORMALIZED.search(last) else ""


def _beside_positions(failure: Failure, one: int, other: int, dim: int) -> str:
    """What tokens and their positions differ in, and what to write; nothing of other tensors."""
    last, table = failure.frames[-1] if failure.frames else None, position_table(failure)
    if last is not None and TURNED.search(last.text) and ROTARY.search(last.function + last.text):
        angles = f"{one} tokens are turned by angles for {other}"
        if dim == 3:
            angles = f"heads of {one} features are turned by angles for {other}"
            return f"{angles}: the rotary embedding is made for another head size"
        return f"{angles}: position_ids, or the table of angles, are of another length"
    if table and dim == 2:
        width = f"nn.Linear({one}, {other})"
        return f"{one} features meet the {other} of `{table}`: to the model's width first, {width}"
    cut = f"{table}[:{one}]" if dim == 0 else f"{table}[:, :{one}]"
    patches = all(math.isqrt(size) ** 2 == size for size in (one, other))
    if not table or one > other or patches:
        return ""
    return f"`{table}` has {other} positions: only the first, {cut}"


def _stretched_otherwise(message: str, came: str, wants: str, dim: str) -> str:
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


def _grown(has: str, gets: str) -> str:
    """What a square, "64, 64", says that a tensor, "64, 1" or "64", would grow to: a column met a row."""
    first, *rest = has.split(", ")
    if gets != f"{first}, {first}" or rest not in ([], ["1"]) or first in ("", "1"):
        return "x = x + y where it is to grow, else bring y to its shape"
    return f"a column meets a row: y{'[:, None]' if rest else '.squeeze(1)'}"


def _marked_elsewhere(mask: str, tensor: str, there: int) -> str:
    """What a mask of one dimension says that stands beside dimension `there`, and is as long as one other
    alone: "5" for "1, 1, 5"."""
    sizes = tensor.split(", ")
    if sizes.count(mask) != 1 or there >= len(sizes):
        return ""
    fits = sizes.index(mask)
    form = f"x[{':, ' * fits}mask]"
    says = f"a mask of {mask} stands for dimension {there} of a tensor of ({tensor})"
    return f"{says}, which has {sizes[there]}: it is as long as dimension {fits}, {form}"


def _flattened_otherwise(mask: str, tensor: str, at: int) -> str:
    """How many times as long as its mask a tensor is in the dimension that does not fit: "384, 19"."""
    marks = prod(int(size) for size in mask.split(", ") if size)
    first, *rest = tensor.split(", ")
    if first == "0":
        return ", and there are none: an image without boxes, or a filter that left nothing"
    if first == str(marks) and {*rest} <= {"1"} and ", " in mask:
        return f"; the tensor was flattened and the mask not: mask.flatten(), or x.view({mask})"
    came, there = (int(f"{shape}, 0".split(", ")[at]) for shape in (mask, tensor))
    if came == there:
        return ""
    if not 1 < came < there or there % came:
        return "; make it of that very tensor, after all that drops or joins its rows"
    times = there // came
    says = f"; {there} = {times} * {came}, as where the tensor was flattened"
    return f"{says} with a dimension of {times} and the mask without"


def _not_stretched(message: str) -> str:
    """What kernels of before 0.4 say of two sizes, without them."""
    if "number of sizes" in message:
        says = "a tensor is expanded to fewer dimensions than it has"
        return f"{says}: sums keep theirs with keepdim=True alone since 0.2"
    says = "tensors of different sizes meet element by element"
    return f"{says}: before 0.2 none is stretched, y.expand_as(x)"
