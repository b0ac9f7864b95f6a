"""Error messages: the keys that `load_state_dict(strict=False)` did not load are ignored."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("a-trainer-went-on")
def a_trainer_went_on(failure: Failure) -> Hits:
    name = f"`{failure.groups['name']}`"
    names = say("and-others", name=name) if failure.groups["more"] else name
    if failure.groups["which"] == "missing":
        yield failure.hit(say("checkpoint-lacks-trainer-goes", names=names))
    else:
        yield failure.hit(say("checkpoint-holds-model-does", names=names))
