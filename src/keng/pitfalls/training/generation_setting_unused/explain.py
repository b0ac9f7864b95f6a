"""Error messages: a setting of generate is one that this way of generating does not use."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-looked-at")
def not_looked_at(failure: Failure) -> Hits:
    switch, name, value = (failure.groups[key] for key in ("switch", "name", "value"))
    drawn = switch == "do_sample"
    way = "takes the likeliest token" if drawn else "follows one beam"
    need = "do_sample=True" if drawn else "num_beams above 1"
    yield failure.hit(
        f"generate {way}, and {name}={value} has no part in that: {need}, or {name}=None"
    )


@explains("flags-not-used")
def flags_not_used(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['names']} does nothing as generate is set: temperature, top_p and top_k act with do_sample=True, early_stopping and length_penalty with several beams"
    )


@explains("two-lengths")
def two_lengths(failure: Failure) -> Hits:
    name, new, other, length = (failure.groups[key] for key in ("name", "new", "other", "length"))
    yield failure.hit(
        f"{name}={new} holds and {other}={length} does not, which may stand in generation_config.json: {other}=None ends the warning"
    )


@explains("least-above-most")
def least_above_most(failure: Failure) -> Hits:
    name, least, most = (failure.groups[key] for key in ("name", "least", "most"))
    yield failure.hit(
        f"at least {least} tokens by {name}, and all end at {most}: a larger max_new_tokens, or a smaller {name}"
    )
