"""Source code: a callback keeps the worst model, or stops the training that goes well."""

from __future__ import annotations

from keng.model import Hits
from keng.pitfalls.training._shared import monitor_direction
from keng.rules import finds
from keng.source import Code

WAY = {"max": "rises", "min": "falls"}


MONITOR = {"EarlyStopping": 0, "ModelCheckpoint": 2}
"""The position of `monitor` among their arguments."""


@finds(mentions=MONITOR)
def monitored_the_wrong_way(code: Code) -> Hits:
    for call in code.calls.calls_with(MONITOR.__contains__):
        home, _, name = code.names.resolve(call.func).rpartition(".")
        if not home.startswith(("lightning.", "pytorch_lightning.")) or name not in MONITOR:
            continue
        measure, mode = (
            code.calls.argument(call, "monitor", MONITOR[name]),
            code.calls.argument(call, "mode"),
        )
        if measure is not None and (wanted := monitor_direction(code, measure, mode)):
            says = f"`{code.text_of(measure)}` {WAY[wanted]} when all goes well"
            yield code.hit(call, f'{says}, and `{name}` wants the opposite: mode="{wanted}"')
