"""Error messages: samples of one batch differ in size."""

from __future__ import annotations

import re

from keng.explain.advice.fits import are_sequences
from keng.explain.advice.samples import COLOURS, IMAGE_CHANNELS, JOINED, PAD, RESIZE, made_alike
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

COLLATE = ("torch/utils/data/_utils/collate.py", "torch/utils/data/dataloader.py")


@explains("shapes-of-two-samples")
def shapes_of_two_samples(failure: Failure) -> Hits:
    groups = failure.groups
    one, other = (tuple(map(int, re.findall(r"\d+", groups[n]))) for n in ("one", "other"))
    cure = made_alike(one, other)
    if failure.passed_through("torch/_functorch/functional_call.py"):
        cure = "the models of an ensemble are of one size"
    inside = failure.passed_through(*COLLATE) or not failure.frames
    whose = "samples" if inside else "tensors"
    where = " of the batch" if inside else " of those stacked"
    told = failure.live.fetched.told if inside else ""
    padded = cure.startswith(PAD)
    longer = padded and not inside and one[1:] == other[1:] and are_sequences(failure)
    cure = cure.replace(" in a collate_fn,", ",") if longer else cure
    idle = failure.mended("collated") if padded and inside else None
    if idle is not None:
        cure = f"`{idle[0]}` is not given to the DataLoader"
    code = failure.code if padded and inside else None
    lengths = [wanted for _, _, wanted in code.items_past_the_end()] if code is not None else []
    if len(lengths) == 1 and lengths[0]:
        cure = f"the last samples run past the end: their number is `{lengths[0]}`"
    yield failure.hit(
        f"{whose} {groups['first']} and {groups['second']}{where} (counted from 0) have the shapes "
        f"{one} and {other}{told}: {cure}",
        idle[1] if idle else failure.mended("padded") if longer else None,
    )


@explains("sizes-of-two-samples")
def sizes_of_two_samples(failure: Failure) -> Hits:
    one, other, at = (int(failure.groups[name]) for name in ("one", "other", "at"))
    cure = PAD if at == 1 else RESIZE
    if at == 1 and {one, other} <= IMAGE_CHANNELS:
        cure = COLOURS
    yield failure.hit(
        f"two samples of the batch have {one} and {other} entries in their dimension {at - 1}: {cure}",
        sure=failure.passed_through(*COLLATE) or not failure.frames,
    )


@explains("batch-of-a-worker")
def batch_of_a_worker(failure: Failure) -> Hits:
    told = failure.live.fetched.told
    says = f"samples of the batch{told} differ in shape, which this worker cannot say"
    cure = "with num_workers=0 the message holds the shapes"
    yield failure.hit(f"{says}: {cure}", sure=failure.passed_through(*COLLATE))


@explains("arrays-in-a-collate-fn")
def arrays_in_a_collate_fn(failure: Failure) -> Hits:
    if any("collate" in f"{frame.function} {frame.text}" for frame in failure.frames):
        yield failure.hit(f"samples of the batch{failure.live.fetched.told} {JOINED}")
