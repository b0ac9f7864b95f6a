"""ONNX files that were compared with the model they came from."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_leaves

Inputs = tuple[Tensor, ...]
Dynamic = Mapping[str, Mapping[int, str]]


def export_onnx(
    model: nn.Module,
    inputs: Inputs,
    path: str | os.PathLike[str],
    *,
    input_names: Sequence[str],
    output_names: Sequence[str],
    dynamic: Dynamic | None = None,
    others: Sequence[Inputs] = (),
    tolerance: float = 1e-4,
) -> float:
    """Writes a model in evaluation mode as ONNX (torch.export underneath, so that branches and sizes
    are not frozen as a trace would) and runs the file in ONNX Runtime.

    `dynamic` names the dimensions that may change, by input: {"image": {0: "batch"}}; an exported
    program that fixes one of them raises here. `others` are more inputs to compare on: give other
    batch sizes, and other sizes wherever the model resizes. The weights lie in the file itself.

    Returns the largest absolute difference between model and file over all inputs and outputs (tensors,
    also in containers, in their order; NaN equals NaN). Raises: TypeError where `inputs` is no tuple;
    ValueError where the difference is above `tolerance` (absolute and relative); what ONNX Runtime
    cannot run on a CPU, as bfloat16, raises its own. Then, as after any other error, what was at
    `path` is untouched. Needs onnx, onnxscript and onnxruntime, and a newer torch than 2.4.
    """
    if "dynamic_shapes" not in inspect.signature(torch.onnx.export).parameters:  # torch 2.4
        raise NotImplementedError(
            f"the exporter of torch {torch.__version__} takes no dynamic shapes"
        )
    if not isinstance(inputs, tuple):
        raise TypeError(f"`inputs` is a tuple of tensors, not {type(inputs).__name__}")
    target = Path(path)
    aside = target.with_name(f".{target.name}.{os.getpid()}")
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        torch.onnx.export(
            model,
            inputs,
            str(aside),
            input_names=list(input_names),
            output_names=list(output_names),
            dynamic_shapes=_dynamic_shapes(dynamic, input_names),
            dynamo=True,
            external_data=False,
            verbose=False,
        )
        worst = max(_difference(model, each, aside, tolerance) for each in (inputs, *others))
        os.replace(aside, target)
    finally:
        aside.unlink(missing_ok=True)
        for module in training:
            module.training = True
    return worst


def _dynamic_shapes(dynamic: Dynamic | None, names: Sequence[str]) -> Any:
    if dynamic is None:
        return None
    if unknown := set(dynamic) - set(names):
        raise ValueError(f"no inputs of these names: {', '.join(sorted(unknown))}")
    sizes = {size for dims in dynamic.values() for size in dims.values()}
    known = {size: torch.export.Dim(size) for size in sizes}
    return tuple(
        {dim: known[size] for dim, size in dynamic.get(name, {}).items()} for name in names
    )


def _difference(model: nn.Module, inputs: Inputs, file: Path, tolerance: float) -> float:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    given = {
        name: tensor.detach().cpu().numpy() for name, tensor in zip(names, inputs, strict=True)
    }
    with torch.no_grad():
        outputs = model(*inputs)
    wanted = [each.cpu().double() for each in tree_leaves(outputs)]
    told = [torch.as_tensor(each).double() for each in session.run(None, given)]
    worst = 0.0
    for ours, theirs in zip(wanted, told, strict=True):
        apart = (ours - theirs).abs().nan_to_num(nan=0.0)
        worst = max(worst, float(apart.max()) if apart.numel() else 0.0)
        if not torch.allclose(ours, theirs, tolerance, tolerance, equal_nan=True):
            shapes = [tuple(tensor.shape) for tensor in inputs]
            raise ValueError(f"ONNX Runtime differs by {worst:.3g} on inputs of shapes {shapes}")
    return worst
