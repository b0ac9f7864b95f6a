"""A running program: gradients are switched by an attribute that nobody reads."""

from __future__ import annotations

from keng.model import Hits
from keng.pitfalls.autograd.require_grad_typo._shared import TYPOS
from keng.rules import watches
from keng.run.moments import StrayAttribute


@watches("attribute.stray")
def set_and_read_by_nobody(seen: StrayAttribute) -> Hits:
    if seen.kind == "parameter" and seen.attribute in TYPOS:
        says = f"`{seen.attribute}` is a new attribute of `{seen.thing}`"
        yield seen.hit(f"{says}; it is `requires_grad` that counts")
