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
    says = say("sizes-and-dimensions-differ", wants=wants, came=came)
    if wants == 2 and came == 1:
        says = say("resized-without-batch", wants=wants, came=came, name=name)
    elif wants == 2 and came == 0:
        says = say("resized-without-channels", wants=wants, came=came, name=name)
    yield failure.hit(says, came=came, wants=wants)


@explains("mode-for-other-dimensions")
def mode_for_other_dimensions(failure: Failure) -> Hits:
    came, mode = int(failure.groups["came"]), failure.groups["mode"]
    wants = int(failure.groups.get("wants") or 4)
    if mode not in MODES:
        yield failure.hit(say("mode-unknown", mode=mode, modes=", ".join(MODES)))
        return
    says = say("mode-needs-dimensions", mode=mode, wants=wants, came=came)
    if wants == came + 1 and came == 3:
        says = say("mode-needs-batch-or-channel", mode=mode, wants=wants, came=came)
    elif wants == came + 1:
        says = say("mode-needs-batch", mode=mode, wants=wants, came=came)
    elif came in LINEAR and mode in LINEAR.values():
        says = say(
            "mode-of-other-dimensions", mode=mode, wants=wants, came=came, other=LINEAR[came]
        )
    yield failure.hit(says, came=came, wants=wants)
