"""Source code: what rises when all goes well is watched as if it should fall."""

from __future__ import annotations

from keng.model import Hits, say
from keng.pitfalls.training._shared import monitor_direction
from keng.rules import finds
from keng.source import Code

PLATEAU = "torch.optim.lr_scheduler.ReduceLROnPlateau"


@finds
def stepped_the_wrong_way(code: Code) -> Hits:
    for call in code.calls.method_calls("step"):
        made = code.types.value_of(code.tree.receiver(call))
        if made.dotted != PLATEAU or made.call is None or len(call.args) != 1:
            continue
        measure, mode = call.args[0], code.calls.argument(made.call, "mode", 1)
        if wanted := monitor_direction(code, measure, mode):
            text = code.text_of(measure)
            rising = say("scheduler-wants-rising", measure=text)
            falling = say("scheduler-wants-falling", measure=text)
            yield code.hit(measure, rising if wanted == "max" else falling)
