"""Error messages: `torch.compile` gets a backend, mode or option that does not exist."""

from __future__ import annotations

from difflib import get_close_matches

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


@explains("no-such-mode")
def no_such_mode(failure: Failure) -> Hits:
    name = failure.groups["name"]
    close = get_close_matches(name, MODES, 1)
    unknown = say("no-such-mode", name=name, modes=", ".join(MODES))
    yield failure.hit(say("mode-misspelt", name=name, close=close[0]) if close else unknown)
