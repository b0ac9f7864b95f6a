"""Error messages: what `load_state_dict(strict=False)` did not load is not looked at."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("a-trainer-went-on")
def a_trainer_went_on(failure: Failure) -> Hits:
    names = f"`{failure.groups['name']}`" + (" and others" if failure.groups["more"] else "")
    if failure.groups["which"] == "missing":
        yield failure.hit(
            f"the checkpoint lacks {names}, and the Trainer goes on with what the model had: right for a weight that is another's too, as lm_head.weight and embed_tokens often are"
        )
    else:
        yield failure.hit(
            f"the checkpoint holds {names}, which the model does not know, and the Trainer left it out: a checkpoint of another model, or of a wrapped one"
        )
