"""Error messages: a seed is no whole number that the generator takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

HERE = "torch/random.py", "torch/cuda/random.py"


@explains("no-whole-number")
def no_whole_number(failure: Failure) -> Hits:
    came = failure.groups.get("came") or failure.groups["text"]
    if "manual_seed" not in failure.message and not failure.raised_in.endswith(HERE):
        return  # said of every int()
    if came == "NoneType":
        yield failure.hit(say("there-no-seed-if"))
    else:
        yield failure.hit(say("seed-whole-number-none", came=came))


@explains("too-large-for-numpy")
def too_large_for_numpy(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(say("torch-s-seeds-have"))
