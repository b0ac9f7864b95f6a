"""Source code: `checkpoint` is called without `use_reentrant=`."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

CHECKPOINTS = (
    "torch.utils.checkpoint.checkpoint",
    "torch.utils.checkpoint.checkpoint_sequential",
)


@finds(fixes=True, mentions=CHECKPOINTS)
def default_way(code: Code) -> Hits:
    for call in code.calls.calls_to(*CHECKPOINTS):
        said = any(k.arg in ("use_reentrant", None) for k in call.keywords)
        if said or code.torch_at_least("1.11") is False:
            continue
        fix = code.edits.add_argument(call, "use_reentrant=False", say("take-newer-form"))
        says = say("goes-reentrant-way-loses")
        yield code.hit(call, says, fix=fix)
