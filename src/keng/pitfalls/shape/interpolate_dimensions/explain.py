"""Error messages: an image without a batch dimension is given to `F.interpolate`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

LINEAR = {3: "linear", 4: "bilinear", 5: "trilinear"}


MODES = ("nearest", "nearest-exact", *LINEAR.values(), "bicubic", "area", "lanczos")


@explains("sizes-for-other-dimensions")
def sizes_for_other_dimensions(failure: Failure) -> Hits:
    came, wants = (len([n for n in failure.groups[g].split(",") if n]) for g in ("came", "wants"))
    name = failure.live.operands[0].name if len(failure.live.operands) == 1 else "x"
    says = f"{wants} sizes are given, and {came} of the input's dimensions can be resized"
    cure = f"one for each dimension behind the channels, {came} in all"
    if wants == 2 and came == 1:
        cure = f"the batch is missing: {name}.unsqueeze(0), and .squeeze(0) after"
    elif wants == 2 and came == 0:
        cure = f"batch and channels are missing: {name}[None, None], and [0, 0] after"
    yield failure.hit(f"{says}: {cure}", came=came, wants=wants)


@explains("mode-for-other-dimensions")
def mode_for_other_dimensions(failure: Failure) -> Hits:
    came, mode = int(failure.groups["came"]), failure.groups["mode"]
    wants = int(failure.groups.get("wants") or 4)
    if mode not in MODES:
        yield failure.hit(say("known-no-mode-modes", known=mode, MODES=", ".join(MODES)))
        return
    cure = "batch and channels come first"
    if wants == came + 1:
        cure = "the batch is missing: x.unsqueeze(0), and .squeeze(0) after"
        cure += ", or the channel of masks (N, H, W), x.unsqueeze(1)" if came == 3 else ""
    elif came in LINEAR and mode in LINEAR.values():
        cure = f"mode='{LINEAR[came]}' is for these"
    says = f"{mode} mode takes {wants} dimensions and gets {came}"
    yield failure.hit(f"{says}: {cure}", came=came, wants=wants)


@explains("one-for-each-dimension")
def one_for_each_dimension(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(say("sizes-given-input-s", came=wants, came_2=came))


@explains("another-number-of-dimensions")
def another_number_of_dimensions(failure: Failure) -> Hits:
    says = "the image has {came} dimensions, and is to have {wants}: x[None] for a batch of one"
    yield failure.hit(says.format(**failure.groups))
