"""Source code: a model that resizes is exported to an old opset of ONNX."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code

RESIZERS = (
    "torch.nn.functional.interpolate",
    "torch.nn.functional.upsample",
    "torch.nn.Upsample",
    "torch.nn.UpsamplingNearest2d",
    "torch.nn.UpsamplingBilinear2d",
)


@finds(fixes=True, mentions=["torch.onnx.export"])
def older_than_eleven(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.onnx.export"):
        opset = next((k.value for k in call.keywords if k.arg == "opset_version"), None)
        number = code.flow.number(opset)
        if opset is None or number is None or number >= 11 or not _resizes(code, call):
            continue
        fix = Fix(say("export-opset"), (code.edits.replace(opset, "11"),))
        yield code.hit(call, say("before-opset-exported-resize"), fix=fix)


def _resizes(code: Code, export: ast.Call) -> bool:
    """Whether the file, or that of the model which is exported, resizes maps."""
    model = code.types.value_of(export.args[0]).definition if export.args else None
    codes = (code.tree, model.tree) if model is not None else (code.tree,)
    return any(True for tree in codes for _ in code.calls.of(tree).calls_to(*RESIZERS))
