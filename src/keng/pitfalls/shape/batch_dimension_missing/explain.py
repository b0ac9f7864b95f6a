"""Error messages: a layer gets an input with too few or too many dimensions."""

from __future__ import annotations

import re

from keng.explain.advice.dimensions import arrived_elsewhere, made_to_fit
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("dimensions-that-lack")
def dimensions_that_lack(failure: Failure) -> Hits:
    groups = failure.groups
    wants = re.sub("-?D", "", groups["wants"])
    shape = [int(size) for size in re.findall(r"\d+", groups.get("shape") or "")]
    came = int(groups.get("came") or len(shape))
    cure = made_to_fit(failure, int(wants[-1]), came, shape)
    yield failure.hit(f"{failure.layer} takes {wants} dimensions, but gets {came}: {cure}")


@explains("channels-of-what")
def channels_of_what(failure: Failure) -> Hits:
    wants = failure.groups["wants"]
    there = [o for o in failure.live.operands if len(o.shape) != int(wants)]
    name = f"`{there[0].name}` of shape {there[0].shape}" if len(there) == 1 else "a tensor"
    yield failure.hit(
        f"{name} is to be laid out with channels last, which needs {wants} dimensions, (N, C, ...): only the images"
    )


@explains("of-other-dimensions")
def of_other_dimensions(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.layer} gets another number of dimensions than it is made for: the batch or channels are missing, or were flattened"
    )


@explains("one-too-few")
def one_too_few(failure: Failure) -> Hits:
    yield failure.hit(arrived_elsewhere(failure.message, failure.groups["shape"]))


@explains("batch-in-a-list")
def batch_in_a_list(failure: Failure) -> Hits:
    yield failure.hit(
        f"a detector takes a list of images, (C, H, W) each, and one of them is ({failure.groups['shape']}): list(batch)"
    )


@explains("asserted")
def asserted(failure: Failure) -> Hits:
    name, wants = failure.groups["name"], failure.groups["wants"]
    yield failure.hit(
        f"`{name}` is to have {wants} dimensions, and has not: unsqueeze(0) adds a batch, squeeze(0) takes it off"
    )


@explains("image-for-clip")
def image_for_clip(failure: Failure) -> Hits:
    texts = [frame.text for frame in failure.frames] or [failure.message, failure.around]
    given = re.search(r"\bencode_image\((?:([A-Za-z_][\w.]*)[,)])?", "\n".join(texts))
    if given is not None:
        name, width, grid = given[1] or "image", failure.groups["width"], failure.groups["grid"]
        says = f"{width} channels of {grid} x {grid} pieces are taken for a batch: `{name}` is one image, and has no batch"
        yield failure.hit(f"{says}; {name}.unsqueeze(0)")
