"""Error messages: the three batch numbers of DeepSpeed contradict each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("product-differs")
def product_differs(failure: Failure) -> Hits:
    whole, micro, steps, world = (
        failure.groups[key] for key in ("whole", "micro", "steps", "world")
    )
    says = f"{whole} is not {micro} x {steps} x {world} (batch of a card, accumulation, processes)"
    cure = "leave train_batch_size out"
    if world == "1":
        cure += "; where several cards were meant, one process is started: deepspeed, torchrun or accelerate launch"
    yield failure.hit(f"{says}: {cure}")


@explains("other-than-the-trainers")
def other_than_the_trainers(failure: Failure) -> Hits:
    yield failure.hit(say("deepspeed-file-arguments-trainer"))
