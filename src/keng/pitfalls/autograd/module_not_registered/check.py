"""Source code: layers or parameters stand where the module does not see them."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def layers_in_a_container(code: Code) -> Hits:
    for name, value in code.containers_of_layers():
        _, kept = code.container_for(name, value)
        says = f"the {kept} in `self.{name}` are not registered: not moved, saved or trained"
        yield code.hit(code.statement(value), says, fix=code.registered(name, value))


@finds(fixes=True)
def computed_from_a_parameter(code: Code) -> Hits:
    for name, value in code.module_values():
        if code.computed_from_leaf(value) and code.parameters_within(value):
            says = f"`self.{name}` is computed from a Parameter and is none itself"
            yield code.hit(code.statement(value), says, fix=code.wrapped_last(value))


@finds(fixes=True)
def plain_tensor_that_learns(code: Code) -> Hits:
    for name, value in code.leaves_on_self():
        spelled = code.spell("torch.nn.Parameter", value)
        wrapped = f"{spelled}({code.text_of(value)})"
        fix = Fix("Make it a Parameter", (code.replace(value, wrapped),)) if spelled else None
        says = f"`self.{name}` gathers gradients and is no Parameter: not moved, saved or trained"
        yield code.hit(code.statement(value), says, fix=fix)


@finds
def constant_left_behind(code: Code) -> Hits:
    for name, value, use in code.tensors_left_behind():
        says = f"`self.{name}` stays on the CPU when the module moves, and meets its values on line"
        yield code.hit(code.statement(value), f"{says} {use.lineno}: register_buffer")
