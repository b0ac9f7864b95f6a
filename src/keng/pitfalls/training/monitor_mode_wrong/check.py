"""Source code: what rises when all goes well is watched as if it should fall."""

from __future__ import annotations

from keng.model import Hits
from keng.pitfalls.training._shared import monitor_direction
from keng.rules import finds
from keng.source import Code

PLATEAU = "torch.optim.lr_scheduler.ReduceLROnPlateau"


WAY = {"max": "rises", "min": "falls"}


@finds(mentions=["step"])
def stepped_the_wrong_way(code: Code) -> Hits:
    for call in code.calls.method_calls("step"):
        made = code.types.value_of(code.tree.receiver(call))
        if made.dotted != PLATEAU or made.call is None or len(call.args) != 1:
            continue
        measure, mode = call.args[0], code.calls.argument(made.call, "mode", 1)
        if wanted := monitor_direction(code, measure, mode):
            says = f"`{code.text_of(measure)}` {WAY[wanted]} when all goes well"
            yield code.hit(
                measure, f'{says}, and its scheduler wants the opposite: mode="{wanted}"'
            )
