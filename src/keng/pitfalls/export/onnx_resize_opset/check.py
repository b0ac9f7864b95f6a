"""Source code: a model that resizes is exported to an old opset of ONNX."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def older_than_eleven(code: Code) -> Hits:
    for call in code.calls_to("torch.onnx.export"):
        opset = next((k.value for k in call.keywords if k.arg == "opset_version"), None)
        number = code.number(opset)
        if opset is None or number is None or number >= 11 or not code.resizes(call):
            continue
        fix = Fix("Export to opset 11", (code.replace(opset, "11"),))
        yield code.hit(call, "before opset 11 the exported resize computes something else", fix=fix)
