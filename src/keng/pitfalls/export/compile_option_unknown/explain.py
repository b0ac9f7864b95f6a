"""Error messages: `torch.compile` is given a backend, mode or option that it does not know."""

from __future__ import annotations

from difflib import get_close_matches

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


@explains("no-such-backend")
def no_such_backend(failure: Failure) -> Hits:
    yield failure.hit(
        f"torch.compile knows no backend `{failure.groups['name']}`: import the package that brings it, or see "
        "torch._dynamo.list_backends()"
    )


@explains("no-such-mode")
def no_such_mode(failure: Failure) -> Hits:
    name = failure.groups["name"]
    close = get_close_matches(name, MODES, 1)
    yield failure.hit(
        f"torch.compile knows no mode `{name}`: {f'`{close[0]}` is meant' if close else ', '.join(MODES)}"
    )


@explains("no-such-option")
def no_such_option(failure: Failure) -> Hits:
    yield failure.hit(
        f"inductor has no option `{failure.groups['name']}` in this version: see torch._inductor.list_options()"
    )


@explains("two-at-once")
def two_at_once(failure: Failure) -> Hits:
    yield failure.hit("a mode is a set of options: give all as options, or the mode alone")
