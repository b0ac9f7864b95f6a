"""Error messages: parameters of a DistributedDataParallel model took no part in the loss."""

from __future__ import annotations

import re
from typing import Any

from keng.explain.failure import Failure
from keng.explain.live import LiveError
from keng.model import Hits, say
from keng.rules import explains

NAMED = re.compile(r"Parameters which did not receive grad for rank (\d+): ([\w.]+(?:, [\w.]+)*)")


NUMBERED = re.compile(
    r"Parameter indices which did not receive grad for rank (\d+): (\d+(?: \d+)*)"
)


IS_ON = re.compile(
    r"find_unused_parameters=True` is enabled|(?:DataParallel|DDP)\([^\n]{0,200}find_unused_parameters ?= ?True|"
    r"\b(?:already|even with|despite|have set)\b[^\n]{0,40}find_unused_parameters ?= ?True(?!`)"
)
"""Where it is told that unused parameters are looked for."""


CURE = "use what it gives, freeze it before wrapping, or find_unused_parameters=True"


LEFT_OUT = "find_unused_parameters is on, so an output of forward is left out of the loss: return what the loss takes alone, or add 0 * output.sum() to it"


@explains("no-gradient-came")
def no_gradient_came(failure: Failure) -> Hits:
    named, numbered = NAMED.search(failure.message), NUMBERED.search(failure.message)
    looked_for = (
        IS_ON.search(f"{failure.context}\n{failure.surrounding}\n{failure.message}") is not None
    )
    if named is not None:
        yield failure.hit(_idle(named[1], named[2].split(", "), LEFT_OUT if looked_for else CURE))
    elif looked_for:
        yield failure.hit(say("parameters-took-no-part", cure=LEFT_OUT))
    elif numbered is not None:
        counted = dict(enumerate(failure.live.ask(_replicated_parameters) or ()))
        names = [counted.get(int(index), "") for index in numbered[2].split()]
        if all(names):
            yield failure.hit(_idle(numbered[1], names, CURE))
            return
        says = f"on rank {numbered[1]} the parameters {numbered[2]} took no part in the loss"
        listed = "[n for n, p in model.named_parameters() if p.requires_grad] has their names"
        yield failure.hit(f"{says}: {listed}; find_unused_parameters=True where that is meant")
    else:
        yield failure.hit(say("some-parameters-took-no-2"))


def _idle(rank: str, names: list[str], cure: str) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"on rank {rank} `{names[0]}`{more} took no part in the loss: {cure}"


@explains("graph-not-static")
def graph_not_static(failure: Failure) -> Hits:
    yield failure.hit(say("another-set-parameters-takes"))


@explains("told-by-lightning")
def told_by_lightning(failure: Failure) -> Hits:
    yield failure.hit(say("some-parameters-took-no"))


def _replicated_parameters(error: LiveError) -> tuple[str, ...]:
    """The parameters that the innermost DistributedDataParallel counts, in its order."""
    for frame in reversed(error.frames):
        wrapper: Any = frame.f_locals.get("self")
        if type(wrapper).__name__ == "DistributedDataParallel":
            known = wrapper.module.named_parameters()
            return tuple(name for name, parameter in known if parameter.requires_grad)
    return ()
