"""A running program: functional dropout stays on in evaluation."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import FunctionalDropout


@watches("functional.dropout")
def dropping_in_an_eval_module(call: FunctionalDropout) -> Hits:
    if call.module_training is False:
        yield call.hit(
            f"{call.function} with p={call.p:g} is on although `{call.module}` is in eval mode"
        )
