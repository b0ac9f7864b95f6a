"""Error messages: a loader does not find a weight, or a whole network, under its name."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.state_names import WRAPPERS


@explains("no-such-weight")
def no_such_weight(failure: Failure) -> Hits:
    own = failure.frames and failure.frames[-1].text.startswith("raise ")
    wrapper = next((part for part in WRAPPERS if part in failure.groups["key"].split(".")), "")
    if failure.kind == "KeyError" and not own and wrapper in ("module", "_orig_mod"):
        yield failure.hit(say("one-side-has-before", wrapper=wrapper))
    elif failure.kind == "KeyError" and not own:
        yield failure.hit(say("file-or-model-not", key=failure.groups["key"]))
