"""Error messages: gradients are switched off for the whole program."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("perhaps-switched-off")
def perhaps_switched_off(failure: Failure) -> Hits:
    live = failure.live.not_learning
    off = live is not None and live.grad_disabled
    says = f"gradients {'are' if off else 'may have been'} switched off for the whole program"
    where = "in this or an imported file, which `keng run` names"
    yield failure.hit(f"{says}, by set_grad_enabled(False) {where}", sure=off)
