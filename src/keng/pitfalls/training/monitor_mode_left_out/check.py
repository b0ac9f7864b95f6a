"""Source code: a callback keeps the worst model, or stops the training that goes well."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code

WAY = {"max": "rises", "min": "falls"}


MONITOR = {"EarlyStopping": 0, "ModelCheckpoint": 2}
"""The position of `monitor` among their arguments."""


@finds
def monitored_the_wrong_way(code: Code) -> Hits:
    for call in code.calls_with(MONITOR.__contains__):
        home, _, name = code.resolve(call.func).rpartition(".")
        if not home.startswith(("lightning.", "pytorch_lightning.")) or name not in MONITOR:
            continue
        measure, mode = code.argument(call, "monitor", MONITOR[name]), code.argument(call, "mode")
        if measure is not None and (wanted := code.turned_round(measure, mode)):
            says = f"`{code.text_of(measure)}` {WAY[wanted]} when all goes well"
            yield code.hit(call, f'{says}, and `{name}` wants the opposite: mode="{wanted}"')
