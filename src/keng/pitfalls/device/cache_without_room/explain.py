"""Error messages: a server of language models finds no room for keys and values."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("beside-the-weights")
def beside_the_weights(failure: Failure) -> Hits:
    wants, room = failure.groups.get("wants"), failure.groups.get("room")
    says = "the weights leave no memory for keys and values"
    if wants and room:
        says = f"keys and values of {wants} tokens are wanted, and there is room for {room}"
    yield failure.hit(
        f"{says}: a lower max_model_len, or a higher gpu_memory_utilization; else fewer bits, or more cards (tensor_parallel_size)"
    )


@explains("taken-by-others")
def taken_by_others(failure: Failure) -> Hits:
    free, total, part = (failure.groups[key] for key in ("free", "total", "part"))
    yield failure.hit(
        f"{free} of {total} GiB are free, and a share of {part} is asked for: see `nvidia-smi` for who holds the rest, or a "
        "lower gpu_memory_utilization"
    )


@explains("freed-meanwhile")
def freed_meanwhile(failure: Failure) -> Hits:
    yield failure.hit(
        "another process gave memory of the card back meanwhile, so what is free cannot be told: start when it is quiet, one engine at a time"
    )
