"""Source code: `mode` of `ReduceLROnPlateau` or a Lightning callback is wrong for the metric."""

from __future__ import annotations

import ast
import re

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

PLATEAU = "torch.optim.lr_scheduler.ReduceLROnPlateau"
MONITOR = {"EarlyStopping": 0, "ModelCheckpoint": 2}
"""The position of `monitor` among their arguments."""
RISES = frozenset(
    "acc accuracy f1 auc auroc iou miou map dice psnr ssim bleu precision recall".split()
)
FALLS = frozenset("loss losses err error errors mae mse rmse ppl perplexity nll".split())
"""Words of names of what is better when it rises, and of what is when it falls."""


@finds(mentions=["step"])
def stepped_the_wrong_way(code: Code) -> Hits:
    for call in code.calls.method_calls("step"):
        made = code.types.value_of(code.tree.receiver(call))
        if made.dotted != PLATEAU or made.call is None or len(call.args) != 1:
            continue
        measure, mode = call.args[0], code.calls.argument(made.call, "mode", 1)
        if wanted := _monitor_direction(code, measure, mode):
            text = code.text_of(measure)
            rising = say("scheduler-wants-rising", measure=text)
            falling = say("scheduler-wants-falling", measure=text)
            yield code.hit(measure, rising if wanted == "max" else falling)


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
        if measure is not None and (wanted := _monitor_direction(code, measure, mode)):
            values = {"measure": code.text_of(measure), "callback": name}
            rising = say("callback-wants-rising", **values)
            yield code.hit(
                call, rising if wanted == "max" else say("callback-wants-falling", **values)
            )


def _measured_direction(code: Code, node: ast.expr | None) -> str:
    """The mode for a value by its name, "max" for an accuracy and "min" for a loss; "" where it says
    nothing."""
    match node:
        case ast.Constant(value=str(text)) | ast.Name(id=text) | ast.Attribute(attr=text):
            words = set(re.split(r"[^a-z0-9]+", text.lower()))
        case ast.Subscript(slice=index):
            return _measured_direction(code, index)
        case _:
            return ""
    rises, falls = words & RISES, words & FALLS
    return "" if rises and falls else "max" if rises else "min" if falls else ""


def _monitor_direction(code: Code, measure: ast.expr | None, mode: ast.expr | None) -> str:
    """The mode that a measure wants by its name, where the one given, or "min" where none is, is the
    opposite."""
    wanted = _measured_direction(code, measure)
    given = code.flow.text_constant(mode) if mode is not None else "min"
    return wanted if wanted and given in ("min", "max") and given != wanted else ""
