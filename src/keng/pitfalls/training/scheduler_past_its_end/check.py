"""Source code: a scheduler is made for epochs and takes a step for each batch."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Act, Code
from keng.source.tree import LOOPS

LENGTHS = {
    "torch.optim.lr_scheduler.CosineAnnealingLR": ("T_max", 1),
    "torch.optim.lr_scheduler.OneCycleLR": ("total_steps", 2),
    "torch.optim.lr_scheduler.PolynomialLR": ("total_iters", 1),
}


@finds(mentions=["CosineAnnealingLR", "OneCycleLR", "PolynomialLR"])
def made_for_epochs(code: Code) -> Hits:
    for call in code.calls.method_calls("step"):
        if code.loops.act_of(call) is not Act.SCHEDULE or call.args or call.keywords:
            continue
        made = code.types.value_of(code.tree.receiver(call))
        if made.dotted not in LENGTHS or made.call is None or made.call not in code.tree.parent:
            continue
        length = code.calls.argument(made.call, *LENGTHS[made.dotted])
        epochs = _epochs_of(code, call)
        if length is not None and epochs and ast.unparse(length) == epochs:
            name = made.dotted.rpartition(".")[2]
            yield code.hit(call, say("made-for-epochs", scheduler=name, epochs=epochs))


def _epochs_of(code: Code, call: ast.Call) -> str:
    """The number of epochs, as text, where a call is made in each round of a loop inside of that over them."""
    loops = [above for above in code.tree.ancestors(call) if isinstance(above, LOOPS)]
    if len(loops) != 2 or code.tree.is_conditional(call):
        return ""
    match loops[1]:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[*_, last])):
            return ast.unparse(last)
    return ""
