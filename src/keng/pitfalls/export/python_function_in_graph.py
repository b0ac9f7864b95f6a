r"""A function in Python stands in a graph that is to do without Python.

A trace records operators. A `torch.autograd.Function` is not one: its `forward` is Python code, and the trace holds a call of it. That runs here, but cannot be
saved by TorchScript, or written as ONNX by the exporter that traces. Newer ones look into `forward`, where they know its arguments and no other tensors: they fail at the weights of a
layer that it calls, as reentrant activation checkpointing does.

Cure: plain operations in place of the function while it is exported, as `if torch.jit.is_tracing()` or a switch such as `set_swish(memory_efficient=False)`; for ONNX a
static method `symbolic` in the function, or `dynamo=True`; an operator of its own by `torch.library.custom_op`; checkpointing switched off, or `use_reentrant=False`.

Bad:

```python
import io

import torch
from torch import nn


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Net(nn.Module):
    def forward(self, x):
        return Double.apply(x)


traced = torch.jit.trace(Net(), torch.ones(2))
torch.jit.save(traced, io.BytesIO())  # seen: `Double`
```

Good:

```python
import io

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * 2


exported = torch.export.export(Net(), (torch.ones(2),))
torch.export.save(exported, io.BytesIO())
```

Message (torch 1.13 to 2.13; `PythonOp`):

```text
torch.onnx.errors.UnsupportedOperatorError: ONNX export failed on an operator with unrecognized namespace prim::PythonOp. If you are trying to export a custom operator, make sure you registered it with the right domain and version.
```

Message (torch 1.0 to 1.12; `set_swish`):

```text
RuntimeError: ONNX export failed: Couldn't export Python operator SwishImplementation
```

Message (torch 1.0 to 1.12; `_DCNv2`):

```text
RuntimeError: ONNX export failed: Couldn't export Python operator _DCNv2
```

Message (torch 2.13, Linux; `checkpoint`):

```text
  File "/env/lib/python3.11/site-packages/torch/onnx/utils.py", line 1000, in _create_jit_graph
    graph, torch_out = _trace_and_get_graph_from_model(model, args)
  File "/work/net.py", line 8, in forward
    return checkpoint(self.block, x, use_reentrant=True)
  File "/env/lib/python3.11/site-packages/torch/autograd/function.py", line 625, in apply
    return super().apply(*args, **kwargs)  # type: ignore[misc]
RuntimeError: unordered_map::at
```

Message (torch 2.0, Windows; `torch.onnx.export`):

```text
    torch.onnx.export(model, (x,), "net.onnx")
RuntimeError: invalid unordered_map<K, T> key
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Could not export Python function call '(?P<name>\w{1,80})'", odds=0.97)
def called_in_a_trace(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is code in Python, which the saved model cannot take along: plain operations in its place"
    )


@pitfall.explains(
    r"operator with unrecognized namespace prim::(?P<name>PythonOp)",
    r"Couldn't export Python operator (?P<name>\w{1,80})",
    odds=0.97,
)
def written_as_onnx(failure: Failure) -> Hits:
    name, cure = (
        failure.groups["name"],
        "a static method symbolic, or plain operations in its place",
    )
    if "Swish" in name:
        cure = "plain operations, by model.set_swish(memory_efficient=False) of EfficientNet"
    yield failure.hit(
        f"a torch.autograd.Function ({name}) has no form in ONNX: {cure}, or dynamo=True"
    )


@pitfall.explains("unordered_map::at|invalid unordered_map<K, T> key", odds=0.85)
def reads_more_than_it_is_given(failure: Failure) -> Hits:
    if failure.shows("onnx"):
        by = "checkpoint()" if failure.shows("checkpoint") else "a torch.autograd.Function"
        yield failure.hit(
            f"torch.onnx.export finds tensors in {by} that are not its arguments, as the weights of a layer: "
            "activation checkpointing off, or use_reentrant=False, or dynamo=True"
        )
