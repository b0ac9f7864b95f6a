"""Source code: functional dropout stays on in evaluation."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

DROPOUTS = tuple(
    f"torch.nn.functional.{name}" for name in ("dropout", "dropout1d", "dropout2d", "dropout3d")
)


@finds(fixes=True, mentions=DROPOUTS)
def training_left_at_its_default(code: Code) -> Hits:
    for call in code.calls.calls_to(*DROPOUTS):
        module = code.types.enclosing_module(call)
        if module is None or code.calls.argument(call, "training", position=2) is not None:
            continue
        if code.modes.guarded_by_training_flag(call):
            continue
        follows = f"training={module.self_name}.training"
        fix = code.edits.add_argument(call, follows, say("follow-mode"))
        yield code.hit(call, say("dropout-here-stays-on"), fix=fix)
