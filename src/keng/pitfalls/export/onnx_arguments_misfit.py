r"""What `torch.onnx.export` is given does not fit the model.

The exporter runs the model once with the example and names what goes in and out. Names are given in the order of the graph, where a tuple or dict counts
for each tensor in it, and parameters follow the inputs; more names than there are values is an error, while a key of `dynamic_axes` that is no name is only
warned of, and its dimension stays fixed. A DataParallel holds the model in `module`.

Cure: as many `input_names` and `output_names` as tensors go in and out, the same names in `dynamic_axes`; `model.module` of a DataParallel;
`torch.onnx.TrainingMode.EVAL`; no None among the arguments of a scripted model.

Bad:

```python
import io

import torch

model = torch.nn.Linear(2, 2)
file, names = io.BytesIO(), ["logits", "loss"]
example = (torch.ones(1, 2),)
torch.onnx.export(model, example, file, output_names=names, dynamo=False)  # seen: `output_names`
```

Good:

```python
import torch

model = torch.nn.Linear(2, 2)
program = torch.export.export(model, (torch.ones(1, 2),))
```

Message (torch 1.0 to 2.13; `input`):

```text
RuntimeError: number of input names provided (5) exceeded number of inputs (3)
```

Message (torch 1.0 to 2.13; `model.module`):

```text
ValueError: torch.nn.DataParallel is not supported by ONNX exporter, please use 'attribute' module to unwrap model from torch.nn.DataParallel. Try torch.onnx.export(model.module, ...)
```

Message (torch 1.10 to 2.13; `TrainingMode`):

```text
TypeError: 'mode' should be a torch.onnx.TrainingMode enum, but got '<class 'bool'>'.
```

Message (torch 1.10 to 2.13; `None`):

```text
ValueError: args contained 1 None's after flattening. When exporting a ScriptModule or ScriptFunction, no args may be None because that breaks type propagation.
```

Message (torch 1.2 to 2.13; `imgs`):

```text
UserWarning: Provided key imgs for dynamic axes is not a valid input/output name
```

Message (torch 1.2 to 2.13; `{'x': {0: 'batch'}}`):

```text
ValueError: The type of axis index is expected to be an integer
```

Message (torch 2.0; `2.1`):

```text
  File "/env/lib/python3.10/site-packages/torch/onnx/_internal/onnx_proto_utils.py", line 269, in _find_onnxscript_op
    onnx_function_list.append(onnx_fn.to_function_proto())
AttributeError: 'function' object has no attribute 'to_function_proto'
```

Message (torch 1.9 to 2.13; `mydomain::myop`):

```text
torch.onnx.OnnxExporterError: Failed to register operator myop. The symbolic name must match the format domain::name, and should start with a letter and contain only alphanumeric characters
```

Message (torch 2.6 to 2.13; `dynamic_shapes`):

```text
UserWarning: # 'dynamic_axes' is not recommended when dynamo=True, and may lead to 'torch._dynamo.exc.UserError: Constraints violated.' Supply the 'dynamic_shapes' argument instead if export is unsuccessful.
```

Message (torch 0.4 to 1.9; `example_outputs=model(*args)`):

```text
AssertionError: example_outputs must be provided when exporting a ScriptModule or ScriptFunction.
```

Message (torch 1.2 to 1.9; `model.eval()`):

```text
UserWarning: Dropout is a training op and should not be exported in inference mode. Make sure to call eval() on the model, and to export it with param training=False.
```

Message (torch 1.7 to 1.9; `model.eval()`):

```text
UserWarning: You are exporting the model to ONNX while in training mode with 'train' parameter not specified. The model will default to inference mode export. If you wish to export a training amenable ONNX model, specify training=TrainingMode.TRAIN or training=TrainingMode.PRESERVE (to preserve the original model state) in torch.onnx.export().
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"number of (?P<what>input|output) names provided \((?P<given>\d+)\) exceeded number of \w+ \((?P<there>\d+)\)",
    odds=0.97,
)
def too_many_names(failure: Failure) -> Hits:
    what, given, there = (failure.groups[name] for name in ("what", "given", "there"))
    yield failure.hit(
        f"{what}_names holds {given} names for {there} that the model has: one for each tensor, none for None"
    )


@pitfall.explains(
    r"Provided key (?P<name>\S{1,80}) for dynamic axes is not a valid input/output name", odds=0.95
)
def no_such_name(failure: Failure) -> Hits:
    yield failure.hit(
        f"dynamic_axes speaks of `{failure.groups['name']}`, which is in neither input_names nor output_names: its dimension stays fixed"
    )


pitfall.answers(
    {
        "torch.nn.DataParallel is not supported by ONNX exporter": "a DataParallel is exported by what it wraps: model.module",
        "type of axis index is expected to be an integer": "dynamic_axes maps numbers of dimensions to names: {'x': {0: 'batch'}}",
        "axis in dynamic_axes must be in the form of": "dynamic_axes maps numbers of dimensions to names: {'x': {0: 'batch'}}",
        "Unsupported dynamic_axes format": "dynamic_axes maps numbers of dimensions to names: {'x': {0: 'batch'}}",
        "No names were found for specified dynamic axes of provided": "the dimensions are dynamic and get names of the exporter's: {'x': {0: 'batch'}} gives them yours",
        "Input names cannot be duplicated": "two inputs have one name: another for each in input_names",
        "Output names cannot be duplicated": "two outputs have one name: another for each in output_names",
        "'dynamic_axes' is not recommended when dynamo=True": "the newer exporter makes dynamic_shapes of dynamic_axes, and may fail at it: dynamic_shapes={'x': {0: 'batch'}}",
        "Failed to convert 'dynamic_axes' to 'dynamic_shapes'": "the newer exporter cannot make dynamic_shapes of these dynamic_axes: dynamic_shapes={'x': {0: 'batch'}} with forward's names",
        "Cannot take content out from the FakeTensor": "the model was exported without its weights: program.apply_weights(state_dict), or save(include_initializers=False)",
        "The symbolic name must match the format domain::name": "an operator is registered by its domain and name, letters and numbers: 'mydomain::myop'",
        "object has no attribute 'to_function_proto'": "the exporter of torch 2.0 takes each operator that is registered for a function of ONNX Script: 2.1 or later",
        "should be a torch.onnx.TrainingMode enum": "training= wants torch.onnx.TrainingMode.EVAL or TRAINING, and no bool",
        "example_outputs must be provided when exporting": "torch 0.4 to 1.9 export a scripted model with what it gives: example_outputs=model(*args), or a newer PyTorch",
        "Dropout is a training op and should not be exported in inference mode": "the model is in training mode: model.eval() before the export",
        "You are exporting the model to ONNX while in training mode": "the model is in training mode: model.eval() before the export",
        "None's after flattening. When exporting a Script": "a scripted model is exported without None among its arguments: leave them out, or trace it",
    },
    odds=0.95,
)
