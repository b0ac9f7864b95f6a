"""Source code: loading a checkpoint may run any program that its author put into it."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True, mentions=["torch.load"])
def reads_any_pickle(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.load"):
        said = any(k.arg in ("weights_only", "pickle_module", None) for k in call.keywords)
        if said or len(call.args) > 2 or code.torch_at_least("2.6") is not False:
            continue
        known = code.torch_at_least("1.13")
        fix = (
            code.edits.add_argument(call, "weights_only=True", "Read plain data only")
            if known
            else None
        )
        yield code.hit(call, say("before-torch-runs-whatever"), fix=fix)
