r"""A dimension that is to vary is exported as a constant.

`torch.export` follows one example. Where the program asks for a size, compares it, or meets a
tensor that was made for it, what follows holds for this size alone, and a dimension that was declared
to vary cannot. The error names the dimension and the size it was fixed to.

Cure: compute from `x.shape` instead of writing the number; no branch on a size; where the dimension need
not vary, leave it out of `dynamic_shapes`; `torch.export.draft_export` tells where it was fixed.

Bad (a mask made for the batch of the example):

```python
import torch
from torch.export import Dim, export


class Net(torch.nn.Module):
    def forward(self, x):
        return x + torch.ones(4, 1)


export(Net(), (torch.ones(4, 2),), dynamic_shapes={"x": {0: Dim("batch")}})  # seen: 4 is fixed
```

Good:

```python
import torch
from torch.export import Dim, export


class Net(torch.nn.Module):
    def forward(self, x):
        return x + torch.ones(x.shape[0], 1)


export(Net(), (torch.ones(4, 2),), dynamic_shapes={"x": {0: Dim("batch")}})
```

Message (torch 2.2 to 2.5):

```text
torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (neighbors)! For more information, run with TORCH_LOGS="+dynamic".
  - Not all values of neighbors = L['arg0_1'].size()[0] in the specified range are valid because neighbors was inferred to be a constant (1792).

Suggested fixes:
  neighbors = 1792
```

Message (torch 2.6 to 2.13; `2 or more`):

```text
torch._dynamo.exc.UserError: Constraints violated (batch)! For more information, run with TORCH_LOGS="+dynamic".
  - You marked batch as dynamic but your code specialized it to be a constant (1). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either Dim.STATIC or Dim.AUTO.
Suggested fixes:
  batch = 1
```

Message (torch 2.6 to 2.13, with Dim.DYNAMIC; `2 or more`):

```text
ValueError: Found the following conflicts between user-specified ranges and inferred ranges from model tracing:
- Received user-specified dim hint Dim.DYNAMIC(min=None, max=None), but export 0/1 specialized due to hint of 1 for dimension inputs['x'].shape[0].
```

Message (torch 2.1 to 2.13; `one Dim for both`):

```text
torch._dynamo.exc.UserError: Constraints violated (other)! For more information, run with TORCH_LOGS="+dynamic".
  - The values of other = L['y'].size()[0] and batch = L['x'].size()[0] must always be equal.
Suggested fixes:
  other = batch
```

Message (torch 2.1 to 2.13; `min=5`):

```text
torch._dynamo.exc.UserError: Constraints violated (batch)! For more information, run with TORCH_LOGS="+dynamic".
  - Not all values of batch = L['x'].size()[0] in the specified range satisfy the generated guard 5 <= L['x'].size()[0] and L['x'].size()[0] <= IntInfinity()
Suggested fixes:
  batch = Dim('batch', min=5)
```

Message (torch 2.1 to 2.13; `conditions`):

```text
torch._dynamo.exc.UserError: Constraints violated (batch, dz)! For more information, run with TORCH_LOGS="+dynamic".
  - Not all values of batch = L['x'].size()[0] in the specified range satisfy the generated guard L['x'].size()[0] != 9223372036854775807.
```

Message (torch 2.1 to 2.8; `another range`):

```text
RuntimeError: Expected input at *args[0].shape[0] to be <= 8, but got 16
```

Message (ONNX Runtime; `np.transpose`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Got invalid dimensions for input: input for the following indices
 index: 1 Got: 224 Expected: 3
 index: 3 Got: 3 Expected: 224
 Please fix either the inputs or the model.
```

Message (ONNX Runtime; `images of 640 x 480`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Got invalid dimensions for input: image for the following indices
 index: 2 Got: 1600 Expected: 640
 index: 3 Got: 1600 Expected: 480
 Please fix either the inputs/outputs or the model.
```

Message (ONNX Runtime; `sound of one channel`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Got invalid dimensions for input: input for the following indices
 index: 0 Got: 196320 Expected: 1
 Please fix either the inputs or the model.
```

Message (ONNX Runtime; `of that size`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Got invalid dimensions for input: input for the following indices
 index: 2 Got: 480 Expected: 640
 Please fix either the inputs or the model.
```

Message (torch 2.1 to 2.8; `1`, `4`):

```text
RuntimeError: Expected input at *args[0].shape[0] to be equal to 1, but got 4
```

Message (torch 2.9 to 2.13; `input.size()[0]`):

```text
AssertionError: Guard failed: input.size()[0] == 1
```

Message (torch 2.9 to 2.13, a number among the inputs; `n`):

```text
AssertionError: Guard failed: n == 2
```

Message (ONNX Runtime; `8`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Got invalid dimensions for input: input for the following indices
 index: 0 Got: 8 Expected: 1
 Please fix either the inputs or the model.
```

Message (ONNX Runtime 1.32; `/Reshape`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running Reshape node. Name:'/Reshape' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/reshape_helper.h:91 onnxruntime::ReshapeHelper::ReshapeHelper(const onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) input_shape_size == requested_shape_size was false. The input tensor cannot be reshaped to the requested shape. Input shape:{2,4}, requested shape:{1,4}
```

Message (ONNX Runtime 1.14; `/aggregator/Add_80`):

```text
onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running Add node. Name:'/aggregator/Add_80' Status Message: /aggregator/Add_80: right operand cannot broadcast on dim 0 LeftShape: {162,15}, RightShape: {152,15}
```

Message (torch 2.6 to 2.13, torch.compile after mark_dynamic; `L['x'].size()[0]`):

```text
torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (L['x'].size()[0])! For more information, run with TORCH_LOGS="+dynamic".
  - You marked L['x'].size()[0] as dynamic but your code specialized it to be a constant (3). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either Dim.STATIC or Dim.AUTO.
```
"""

from keng.explain.advice.compiled import fixed_input, not_free
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Constraints violated \((?P<name>(?:[\w, ]|L\['\w{1,60}'\]|\.size\(\)\[\d\]){1,80})\)",
    r"export 0/1 specialized due to hint of [01] for dimension (?P<name>\S{1,80}\])",
    odds=0.95,
)
def fixed_by_the_example(failure: Failure) -> Hits:
    yield failure.hit(f"`{failure.groups['name']}` {not_free(failure.message)}")


@pitfall.explains(r"Guard failed: (?P<name>[A-Za-z]\w{0,60}) == (?P<value>\S{1,40})", odds=0.93)
def number_of_the_example(failure: Failure) -> Hits:
    name, value = failure.groups["name"], failure.groups["value"]
    yield failure.hit(
        f"`{name}` is the example's {value} once it is exported: give it as a tensor, or export once for each value"
    )


@pitfall.explains(
    r"Expected input at (?P<what>\*args\S{1,80}?shape\[\d+\]) to be (?P<bound>equal to|>=|<=) (?P<size>\d+), but got (?P<got>\d+)",
    r"Guard failed: (?P<what>[\w.\[\]'\"]{1,80}\.size\(\)\[\d+\]) (?P<bound>==|>=|<=) (?P<size>\d+)",
    odds=0.95,
)
def given_another_size(failure: Failure) -> Hits:
    what, bound, size, got = (failure.groups.get(each) for each in ("what", "bound", "size", "got"))
    cure = "another range of its Dim, or inputs within it"
    if bound in ("==", "equal to"):
        cure = "declare it in dynamic_shapes"
    came = f", and gets {got}" if got else ""
    yield failure.hit(f"the program was exported for `{what}` {bound} {size}{came}: {cure}")


@pitfall.explains(
    r"Got invalid dimensions for input: (?P<name>\S{1,80}) for the following indices\s{1,3}index: (?P<at>\d+) Got: (?P<got>\d+) Expected: (?P<size>\d+)",
    odds=0.95,
)
def fixed_in_onnx(failure: Failure) -> Hits:
    name, at, got, size = (failure.groups[each] for each in ("name", "at", "got", "size"))
    cure = fixed_input(failure.message, at, got, size)
    says = f"`{name}` was exported with {size} at dimension {at}, and gets {got}: {cure}"
    yield failure.hit(says, sure=False)  # a model of any exporter


@pitfall.explains(
    r"returned while running (?P<op>\w{1,40}) node\. Name:'(?P<node>[^']{0,160})' Status Message: .{0,400}?(?:cannot be reshaped to the requested|"
    r"cannot broadcast|Attempting to broadcast an axis|axis dimensions must match|dimension mismatch|invalid expand shape|Cannot split using values)",
    odds=0.85,
)
def fixed_within(failure: Failure) -> Hits:
    op, node = failure.groups["op"], failure.groups["node"]
    says = f"{op} `{node}` has a size of the example in it, though the input varies: x.shape in forward and no int() or list of numbers, dynamo=True for PyTorch's own layers, or inputs of that size"
    yield failure.hit(says, sure=False)  # or inputs that do not fit each other
