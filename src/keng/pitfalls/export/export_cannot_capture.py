r"""The model cannot be captured for export.

`torch.export`, and the ONNX exporter that is built upon it, wants the whole forward as one graph: no branch on the numbers in a
tensor, no attributes changed on the way, inputs and outputs made of tensors. What it says first is only at which
step it gave up; the cause is the error below, "caused by".

Cure: read the innermost error; `torch.onnx.export(..., dynamo=False)` for the older exporter that traces; the package
`onnxscript` for the newer one; `report=True` writes down where it stopped.

Bad:

```python
import torch
from torch import nn


class Batch:
    def __init__(self, x):
        self.x = x


class Net(nn.Module):
    def forward(self, batch):
        return batch.x * 2


program = torch.export.export(Net(), (Batch(torch.ones(2)),))
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, batch):
        return batch["x"] * 2


program = torch.export.export(Net(), ({"x": torch.ones(2)},))
```

Message (torch 2.5 to 2.13; `torch.export`):

```text
torch.onnx._internal.exporter._errors.TorchExportError: Failed to export the model with torch.export. This is step 1/3 of exporting the model to ONNX. Next steps:
- Modify the model code for `torch.export.export` to succeed. Refer to https://pytorch.org/docs/stable/generated/torch.export.ExportDB.html for more information.
```

Message (torch 2.1 to 2.4; `dynamo=False`):

```text
torch.onnx.OnnxExporterError: Failed to export the model to ONNX. Generating SARIF report at 'report_dynamo_export.sarif'.
```

Message (torch 2.5 to 2.13; `onnxscript`):

```text
ModuleNotFoundError: No module named 'onnxscript'
```

Message (torch 1.0 to 2.13, of a trace):

```text
RuntimeError: Cannot insert a Tensor that requires grad as a constant. Consider making it a parameter or input, or detaching the gradient
```

Message (torch 2.1 to 2.5; `register_pytree_node`):

```text
torch._dynamo.exc.UserError: It looks like one of the outputs with type `<class 'transformers.modeling_outputs.BaseModelOutput'>` is not supported or pytree-flattenable.
```

Message (torch 2.7 to 2.13; `register_pytree_node`):

```text
RuntimeError: Found <class '__main__.Out'> in output, which is not a known type. If this type holds tensors, you need to register a pytree for it.
```

Message (torch 1.13 to 2.13; `onnx`):

```text
torch.onnx.errors.OnnxExporterError: Module onnx is not installed!
```

Message (torch 2.1 to 2.13; `tuple`):

```text
torch._dynamo.exc.UserError: Expecting `args` to be a tuple of example positional inputs, got <class 'torch.Tensor'>
```

Message (torch 2.1 to 2.13; `module`):

```text
ValueError: Expected `mod` to be an instance of `torch.nn.Module`, got <class 'function'>.
```

Message (torch 2.5 to 2.13; `scripted`):

```text
ValueError: Exporting a ScriptModule is not supported. Maybe try converting your ScriptModule to an ExportedProgram using `TS2EPConverter(mod, args, kwargs).convert()` instead.
```

Message (torch 2.1 to 2.5; `self.hw`):

```text
AssertionError: Mutating module attribute hw during export.

from user code:
   File "/home/u/yolox.py", line 12, in forward
    self.hw = [x.shape[-2:] for x in outputs]
```

Message (torch 2.1 to 2.6; `clone`):

```text
RuntimeError: cannot mutate tensors with frozen storage
```

Message (torch 2.5 to 2.13; `register_buffer`):

```text
UserWarning: The tensor attribute self.y was assigned during export. Such attributes must be registered as buffers using the `register_buffer` API (https://pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.register_buffer).
```

Message (torch 2.7 to 2.13; `nn.Parameter`):

```text
UserWarning: A model attribute `c` requires gradient. but it's not properly registered as a parameter. torch.export will detach it and treat it as a constant tensor but please register it as parameter instead.
```

Message (torch 2.8 to 2.13; `graph break`):

```text
RuntimeError: Non-recursive torch.compiler.disable is not supported with torch.export.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Failed to export the model with torch\.export\. This is step",
    r"Failed to export the model to ONNX\.",
    odds=0.7,
)
def not_captured(failure: Failure) -> Hits:
    yield failure.hit(
        "torch.export cannot capture the model, see the innermost error; dynamo=False takes the older exporter"
    )


@pitfall.explains(r"Cannot insert a Tensor that requires grad as a constant", odds=0.95)
def made_outside(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor that learns is made outside of what is traced: layers of a plain list into nn.ModuleList, a tensor as nn.Parameter, or "
        "detach() it"
    )


@pitfall.explains(
    r"one of the (?:in|out)puts with type `<class '(?P<kind>[\w.]+)'>` is not supported or pytree-flattenable",
    r"Found <class '(?P<kind>[\w.<>]+)'> in output, which is not a known type",
    r"Unsupported input type <class '(?P<kind>[\w.<>]+)'>\. Export only supports pytree containers",
    odds=0.95,
)
def made_of_no_tensors(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    yield failure.hit(
        f"`{kind}` goes in or out, of which export does not know the tensors: a tuple or dict, or torch.utils._pytree.register_pytree_node"
    )


@pitfall.explains(r"Module onnx is not installed!", odds=0.95)
def onnx_missing(failure: Failure) -> Hits:
    yield failure.hit("the exporter needs a package: pip install onnx")


@pitfall.explains(r"No module named 'onnxscript'", odds=0.95)
def package_missing(failure: Failure) -> Hits:
    yield failure.hit("the newer exporter needs a package: pip install onnxscript, or dynamo=False")


GRADLESS = (
    "a tensor in self that is to learn is exported as a constant: nn.Parameter(...) in __init__"
)
pitfall.answers(
    {
        "Expecting `args` to be a tuple of example positional inputs": "the inputs are a tuple: export(model, (x,))",
        "Expected `mod` to be an instance of `torch.nn.Module`": "export takes a module: put the function into the forward of one",
        "was assigned during export. Such attributes must be registered as buffers": "forward keeps a tensor in self, which an exported model does not: register_buffer in __init__, or return it",
        "Non-recursive torch.compiler.disable is not supported": "export takes no graph break: without torch.compiler.disable(recursive=False), or the function as a custom operator",
        "requires gradient but it's not properly registered as a parameter": GRADLESS,
        "requires gradient. but it's not properly registered as a parameter": GRADLESS,
        "Exporting a ScriptModule is not supported": "export takes the module itself, not the scripted or traced one",
    },
    odds=0.95,
)


@pitfall.explains(r"Mutating module attribute (?P<name>\w{1,80}) during export", odds=0.95)
def set_while_captured(failure: Failure) -> Hits:
    yield failure.hit(
        f"forward sets `self.{failure.groups['name']}`: a local variable or a result in its place, a registered buffer, or strict=False"
    )


@pitfall.explains(r"cannot mutate tensors with frozen storage", odds=0.93)
def changed_in_place(failure: Failure) -> Hits:
    yield failure.hit(
        "what .to() or a view gave is changed in place, which export does not follow: clone() before it, the operation without underscore, or a newer PyTorch"
    )
