"""Source code: a number that is to be learned becomes a constant on its way through forward."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code, Grad


@finds
def constant_in_forward(code: Code) -> Hits:
    for cut, parameter in code.parameters_cut():
        if code.grad_at(cut) is not Grad.OFF and code.enters_a_result(cut):
            says = (
                f"`{code.text_of(parameter)}` gets no gradient: what it was is a constant from here"
            )
            yield code.hit(cut, says)


@finds
def outputs_copied_into_a_tensor(code: Code) -> Hits:
    for made in code.outputs_copied():
        if code.grad_at(made) is not Grad.OFF:
            yield code.hit(
                made, "a new tensor without the graphs of its parts: torch.stack keeps them"
            )
