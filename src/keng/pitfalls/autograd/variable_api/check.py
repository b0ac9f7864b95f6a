"""Source code: tensors are wrapped in `Variable`."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True, mentions=["torch.autograd.Variable"])
def wrapped(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.autograd.Variable"):
        given = {keyword.arg for keyword in call.keywords}
        if len(call.args) != 1 or not given <= {"requires_grad", "volatile"}:
            continue
        inner = call.args[0]
        name = code.text_of(inner)
        if "volatile" in given:
            yield code.hit(call, say("does-nothing-what-follows"), once=True)
            continue
        cut = code.graph.is_scalar(inner)
        asks = code.graph.asks_for_gradients(call) and not cut
        text = (
            f"{code.edits.parenthesized(inner)}.requires_grad_()"
            if asks
            else code.edits.parenthesized(inner)
        )
        whole = code.edits.needs_no_parentheses(call) and not asks
        fix = Fix(say("use-tensor"), (code.edits.replace(call, name if whole else text),))
        short = len(name) < 40
        says = say("gives-itself", value=name) if short else say("gives-tensor")
        yield code.hit(call, says, fix=fix, level="hint", once=True)
