"""Error messages: samples of one batch differ in size."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.source import Code
from keng.source.flow import whole_number

COLLATES = re.compile(r"collate|pad_?batch|batchify", re.IGNORECASE)
"""Names of functions that make a batch of samples."""

COLLATE = ("torch/utils/data/_utils/collate.py", "torch/utils/data/dataloader.py")

IMAGE_CHANNELS = {1, 3, 4}
BOXES = {4, 5, 6}
"""How many numbers a box has, with a class or a score."""
PAD = "pad them in a collate_fn, as with torch.nn.utils.rnn.pad_sequence"
COLOURS = 'one number of channels for all images, as with image.convert("RGB")'
MOST_COORDINATES = 6
SHORTEST = 1000
"""Samples of a sound, at least."""
JOINED = "differ in shape, and the collate_fn joins them: pad them there, or one shape for all in the dataset"
RESIZE = "resize or crop all images to one size in the dataset"


@explains("shapes-of-two-samples")
def shapes_of_two_samples(failure: Failure) -> Hits:
    groups = failure.groups
    one, other = (tuple(map(int, re.findall(r"\d+", groups[n]))) for n in ("one", "other"))
    cure = _made_alike(one, other)
    if failure.passed_through("torch/_functorch/functional_call.py"):
        cure = "the models of an ensemble are of one size"
    inside = failure.passed_through(*COLLATE) or not failure.frames
    whose = "samples" if inside else "tensors"
    where = " of the batch" if inside else " of those stacked"
    told = failure.live.fetched.in_brackets if inside else ""
    padded = cure.startswith(PAD)
    longer = padded and not inside and one[1:] == other[1:] and _are_sequences(failure)
    cure = cure.replace(" in a collate_fn,", ",") if longer else cure
    idle = failure.ask_line(_collated) if padded and inside else None
    if idle is not None:
        cure = f"`{idle[0]}` is not given to the DataLoader"
    code = failure.code if padded and inside else None
    lengths = (
        [wanted for _, _, wanted in code.loaders.items_past_the_end()] if code is not None else []
    )
    if len(lengths) == 1 and lengths[0]:
        cure = f"the last samples run past the end: their number is `{lengths[0]}`"
    yield failure.hit(
        f"{whose} {groups['first']} and {groups['second']}{where} (counted from 0) have the shapes "
        f"{one} and {other}{told}: {cure}",
        idle[1] if idle else failure.ask_line(_padded) if longer else None,
    )


@explains("sizes-of-two-samples")
def sizes_of_two_samples(failure: Failure) -> Hits:
    one, other, at = (int(failure.groups[name]) for name in ("one", "other", "at"))
    cure = PAD if at == 1 else RESIZE
    if at == 1 and {one, other} <= IMAGE_CHANNELS:
        cure = COLOURS
    yield failure.hit(
        say("two-samples-batch-have", cure=one, other=other, value=at - 1, cure_2=cure),
        sure=failure.passed_through(*COLLATE) or not failure.frames,
    )


@explains("batch-of-a-worker")
def batch_of_a_worker(failure: Failure) -> Hits:
    told = failure.live.fetched.in_brackets
    says = f"samples of the batch{told} differ in shape, which this worker cannot say"
    cure = "with num_workers=0 the message holds the shapes"
    yield failure.hit(f"{says}: {cure}", sure=failure.passed_through(*COLLATE))


@explains("arrays-in-a-collate-fn")
def arrays_in_a_collate_fn(failure: Failure) -> Hits:
    if any("collate" in f"{frame.function} {frame.text}" for frame in failure.frames):
        yield failure.hit(f"samples of the batch{failure.live.fetched.in_brackets} {JOINED}")


def _padded(code: Code, line: int) -> Fix | None:
    """A fix that pads what a line stacks along a first dimension of its own."""
    stacks = [
        c for c in code.tree.on_line(line, ast.Call) if code.names.resolve(c.func) == "torch.stack"
    ]
    call = stacks[0] if len(stacks) == 1 else None
    along = code.calls.argument(call, "dim", 1) if call is not None else None
    if call is None or not call.args or (along is not None and whole_number(along) != 0):
        return None
    function = code.edits.qualified_name("torch.nn.utils.rnn.pad_sequence", call)
    text = f"{function}({code.text_of(call.args[0])}, batch_first=True)"
    return Fix(say("pad-longest"), (code.edits.replace(call, text),), "shown") if function else None


def _collated(code: Code, line: int) -> tuple[str, Fix] | None:
    """The function of the file that is named after making a batch and is not used, and a fix that gives
    it to the one loader on a line, which has none."""
    named = [f for f in code.of(ast.FunctionDef) if COLLATES.search(f.name)]
    used = {n.id for n in code.of(ast.Name)} | {n.attr for n in code.of(ast.Attribute)}
    idle = [f for f in named if f.name not in used and len(f.args.args) == 1]
    made = {code.loaders.loader_made(n) for n in code.tree.on_line(line, ast.Name)}
    calls = [each for each in made if each in code.tree.parent]
    call = calls[0] if len(calls) == 1 else None
    if len(idle) != 1 or call is None or code.calls.argument(call, "collate_fn", 6) is not None:
        return None
    name = idle[0].name
    return name, code.edits.add_argument(call, f"collate_fn={name}", "Collate with it", "shown")


def _made_alike(one: Sequence[int], other: Sequence[int]) -> str:
    """What brings two samples to one shape. pad_sequence lengthens the first dimension alone."""
    if len(one) != len(other):
        return _of_other_dimensions(one, other)
    if len(one) == 3 and one[1:] == other[1:] and {one[0], other[0]} <= IMAGE_CHANNELS:
        return COLOURS
    if len(one) == 2 and one[1] == other[1] >= SHORTEST and {one[0], other[0]} == {1, 2}:
        return "sounds of one channel and of two: x.mean(0, keepdim=True) makes one of both"
    if len(one) == 3 and one[0] == other[0] == 3 and min(one[1:]) == min(other[1:]):
        side = min(one[1:])
        says = f"Resize({side}) keeps the ratio of width and height"
        return f"{says}: Resize(({side}, {side})), or CenterCrop({side}) behind it"
    if len(one) == 3 and (one[0], one[2]) == (other[0], other[2]) and one[2] <= MOST_COORDINATES:
        return "one number of points or rows for each: sample, crop or pad them to it"
    if one[1:] == other[1:]:
        boxes = len(one) == 2 and one[1] in BOXES
        return f"{PAD}{', or keep them in a list, as boxes: tuple(zip(*batch))' if boxes else ''}"
    if one[:-1] == other[:-1] and len(one) < 4:
        wide = "resize, crop or pad them" if len(one) == 3 else "crop or pad them"
        return f"{wide} to one length in the dataset, F.pad(x, (0, length - x.size(-1)))"
    if len(one) == 4 and (one[0], *one[2:]) == (other[0], *other[2:]):
        return "one number of frames for all clips, taken by index or sampled"
    return RESIZE if len(one) in (3, 4) else "every sample must have one shape: crop or pad them"


def _of_other_dimensions(one: Sequence[int], other: Sequence[int]) -> str:
    short, long = sorted((one, other), key=len)
    if len(long) == 2 and long[0] == short[0] >= SHORTEST and long[1] == 2:
        return "a sound of two channels among those of one: x.mean(-1) makes one of both"
    if len(long) == 3 and [*long[1:]] == [*short]:
        return f"a grey image came without a dimension for its channel: {COLOURS}"
    return "one has a dimension more than the other"


def _are_sequences(failure: Failure) -> bool:
    """Whether lengths differ as those of sequences do: of batches the last alone is smaller."""
    failing = failure.live.failing
    lengths = [each.shape[0] for each in failing.tensors] if failing is not None else []
    return len(lengths) > 1 and (len(set(lengths[:-1])) > 1 or lengths[-1] > lengths[0])
