"""Error messages: `flex_attention` gets heads, lengths or a mask that do not match."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-length")
def of_another_length(failure: Failure) -> Hits:
    made, q, k = (failure.groups[key] for key in ("made", "q", "k"))
    yield failure.hit(
        say("mask-made-lengths-create", k=", ".join(made.split(", ")[-2:]), q=q, k_2=k)
    )


@explains("apart")
def apart(failure: Failure) -> Hits:
    what, sizes = failure.groups["what"], failure.groups["sizes"]
    yield failure.hit(say("query-key-differ", sizes=what, sizes_2=sizes))


@explains("mask-elsewhere")
def mask_elsewhere(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(say("query-block-mask-lie", other=one, other_2=other))


@explains("mask-of-numbers")
def mask_of_numbers(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/attention/flex_attention.py"):
        yield failure.hit(say("block-mask-made-function"))
