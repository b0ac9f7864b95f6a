"""Source code: a warning calls F.sigmoid or F.tanh deprecated."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True, mentions=["torch.nn.functional.sigmoid", "torch.nn.functional.tanh"])
def spelling_that_warned(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.nn.functional.sigmoid", "torch.nn.functional.tanh"):
        if code.torch_at_least("2.0") is not False:
            continue
        name = code.names.resolve(call.func).rpartition(".")[2]
        new = code.edits.qualified_name(f"torch.{name}", call)
        fix = (
            Fix(say("write-torch", name=name), (code.edits.replace(call.func, new),), "safe")
            if new
            else None
        )
        yield code.hit(call, say("torch-before-warns-f", name=name), fix=fix)
