"""Error messages: a model that is wrapped does not lie on the first card of its list."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("lies-elsewhere")
def lies_elsewhere(failure: Failure) -> Hits:
    first, there = failure.groups["first"], failure.groups["there"]
    yield failure.hit(_off_the_first(failure, first, there))


@explains("parts-elsewhere")
def parts_elsewhere(failure: Failure) -> Hits:
    yield failure.hit(say("model-lies-on-another"))


def _off_the_first(failure: Failure, first: str, there: str) -> str:
    """What to do about a part of a model that lies elsewhere than on the first card of its DataParallel."""
    spread = any("transformers/trainer.py" in frame.posix for frame in failure.frames)
    code = failure.code.text if failure.code is not None else failure.context
    if there != "cpu" and (spread or "device_map" in code):
        return (
            "the model is spread over the cards, as by device_map, and a Trainer wraps it in "
            "DataParallel as well: device_map={'': 0} and CUDA_VISIBLE_DEVICES=0, or torchrun"
        )
    cure = f"model.to('{first}') before the call; on the CPU alone model.module"
    if there != "cpu":
        cure = f"model.to('{first}'), or device_ids that begin with {there.removeprefix('cuda:')}"
    return (
        f"the model, or a part of it, lies on {there}, and device_ids begins with {first}: {cure}"
    )
