"""A running program: the best weights are kept without a copy, so training changes them."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.own_state import OwnStateLoaded


@watches(OwnStateLoaded)
def loaded_from_its_own_memory(fact: OwnStateLoaded) -> Hits:
    if not fact.changed:
        return
    steps = fact.run.step - fact.step
    module = fact.run.module_name(fact.module)
    later = say("steps-later", module=module, steps=steps)
    says = later if steps else say("after-other-weights", module=module)
    yield fact.hit(says, where=fact.taken_at, steps=steps)
