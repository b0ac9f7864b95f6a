"""Source code: a running total keeps the graph of every step alive."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code, Grad


@finds(fixes=True)
def graph_kept_after_backward(code: Code) -> Hits:
    for loop in code.loops_with_steps:
        losses = code.losses(loop)
        summed = {code.text_of(loss) for loss in losses}
        lost = [part for loss in losses for part in code.parts(loss)]
        for node, holder, value in code.kept_values(loop):
            names = [
                name
                for name in code.attached(value)
                if code.is_loss_of_step(name)
                or any(code.same_loss(own, part) for own in code.parts(name) for part in lost)
            ]
            if not names or code.grad_at(node) is not Grad.ON:
                continue
            if code.renewed_in(holder, loop) or code.bounded(holder):
                continue
            text = code.text_of(holder)
            if text in summed:
                continue  # for a backward of its own
            edits = tuple(code.append(code.read_as(name), ".detach()") for name in names)
            fix = Fix("Keep the value without its graph: `.detach()`", edits)
            yield code.hit(
                node, f"`{text}` keeps the graph of every step through `{names[0].id}`", fix=fix
            )


@finds(fixes=True)
def graph_kept_on_self(code: Code) -> Hits:
    for node, holder, name in code.kept_on_self():
        if code.grad_at(node) is not Grad.ON:
            continue
        edit = code.append(code.read_as(name), ".detach()")
        fix = Fix("Keep the value without its graph: `.detach()`", (edit,))
        says = f"`{code.text_of(holder)}` keeps the graph of every step through `{name.id}`"
        yield code.hit(node, says, fix=fix)
