"""Source code: binary cross-entropy gets raw outputs, or the one that wants raw outputs gets probabilities."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import unwrap_call
from keng.rules import finds
from keng.source import Code

LOGITS = ("torch.nn.BCEWithLogitsLoss", "torch.nn.functional.binary_cross_entropy_with_logits")


PROBABILITIES = ("torch.nn.BCELoss", "torch.nn.functional.binary_cross_entropy")


SIGMOIDS = {
    "torch.sigmoid",
    "torch.nn.functional.sigmoid",
    "torch.Tensor.sigmoid",
    "torch.nn.Sigmoid",
}


RAW = {f"torch.nn.{layer}" for layer in ("Linear", "Bilinear", "Conv1d", "Conv2d", "Conv3d")}


@finds(fixes=True)
def second_sigmoid(code: Code) -> Hits:
    for call in code.graph.loss_calls(*LOGITS):
        given = code.calls.argument(call, "input", position=0)
        origins = code.origins.origins(given) if given is not None else []
        if given is None or any(origin.dotted not in SIGMOIDS for origin in origins):
            continue
        sigmoid = origins[0].call if len(origins) == 1 else None
        fix = unwrap_call(code, sigmoid, say("give-raw-outputs"))
        says = say("went-through-sigmoid-already", given=code.text_of(given))
        yield code.hit(call, says, fix=fix)


@finds(fixes=True)
def raw_outputs_given(code: Code) -> Hits:
    for call in code.graph.loss_calls(*PROBABILITIES):
        given = code.calls.argument(call, "input", position=0)
        origins = code.origins.origins(given) if given is not None else []
        if given is None or any(origin.dotted not in RAW for origin in origins):
            continue
        written = code.types.value_of(call.func).call or call
        fix = None
        if written in code.tree.parent and isinstance(written.func, ast.Attribute):
            at_home = code.names.resolve(written.func).startswith("torch.nn.functional.")
            name = f"{code.text_of(written.func.value)}." + (
                "binary_cross_entropy_with_logits" if at_home else "BCEWithLogitsLoss"
            )
            title = say("use-loss-has-sigmoid")
            fix = Fix(title, (code.edits.replace(written.func, name),))
        says = say("comes-from-layer-without", given=code.text_of(given))
        yield code.hit(call, says, fix=fix)
