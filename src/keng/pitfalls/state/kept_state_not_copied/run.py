"""A running program: the best weights are kept without a copy, and go on changing."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.own_state import OwnStateLoaded


@watches(OwnStateLoaded)
def loaded_from_its_own_memory(fact: OwnStateLoaded) -> Hits:
    if not fact.changed:
        return
    steps = fact.run.step - fact.step
    when = f"{steps} steps later" if steps else "after other weights were loaded"
    says = f"this is the memory of `{fact.run.module_name(fact.module)}` itself, not a copy: {when}"
    yield fact.hit(f"{says} nothing of it is left to load", where=fact.taken_at, steps=steps)
