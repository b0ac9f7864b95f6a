"""Source code: gradients are switched by an attribute that nobody reads."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.pitfalls.autograd.require_grad_typo._shared import TYPOS
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def attribute_that_nobody_reads(code: Code) -> Hits:
    for target in code.attributes_only_set(*TYPOS):
        name = code.text_of(target.value)
        fix = Fix("Write requires_grad", (code.rename_attribute(target, "requires_grad"),))
        says = f"`{target.attr}` is a new attribute of `{name}`; it is `requires_grad` that counts"
        yield code.hit(target, says, fix=fix)


@finds(fixes=True)
def method_that_is_overwritten(code: Code) -> Hits:
    for target in code.overwritten("requires_grad_"):
        name = code.text_of(target.value)
        fix = Fix("Write requires_grad", (code.rename_attribute(target, "requires_grad"),))
        yield code.hit(target, f"`requires_grad_` is a method, which `{name}` loses by this", fix)


@finds(fixes=True)
def switch_that_a_module_lacks(code: Code) -> Hits:
    for target, value in code.switches_on_modules():
        name, to = code.text_of(target.value), code.text_of(value)
        edit = code.replace(code.statement(target), f"{name}.requires_grad_({to})")
        says = (
            f"`{name}` is a module, which has no `requires_grad`: its parameters stay as they are"
        )
        yield code.hit(target, says, fix=Fix("Call requires_grad_", (edit,)))
