r"""A layer in floats gets a quantized tensor.

In a quantized model every layer works on integers, except those that were left out (`qconfig = None`), that have no
quantized form, or that the chosen engine lacks. Such a layer is called with a quantized tensor all the same, and no
kernel takes it: "Could not run ... with arguments from the 'QuantizedCPU' backend".

Cure: `DeQuantStub` before such a layer and `QuantStub` after it; fuse batch norm into its convolution before
quantizing.

Bad:

```python
import torch
from torch import nn

x = torch.quantize_per_tensor(torch.ones(1, 3, 4, 4), 0.1, 0, torch.quint8)
norm = nn.BatchNorm2d(3)
y = norm(x)  # seen: no kernel for quantized input
```

Bad (a convolution in floats):

```python
import torch
from torch import nn

x = torch.quantize_per_tensor(torch.ones(1, 3, 4, 4), 0.1, 0, torch.quint8)
layer = nn.Conv2d(3, 3, 1)
y = layer(x)  # seen: its weights are floats
```

Good:

```python
import warnings

import torch
from torch import nn

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    x = torch.quantize_per_tensor(torch.ones(1, 3, 4, 4), 0.1, 0, torch.quint8)
norm = nn.BatchNorm2d(3)
y = norm(x.dequantize())
```

Message (torch 1.3 to 1.9):

```text
RuntimeError: Could not run 'aten::thnn_conv2d_forward' with arguments from the 'QuantizedCPU' backend. 'aten::thnn_conv2d_forward' is only available for these backends: [CPU, CUDA, BackendSelect, Named, Autograd, Profiler, Tracer].
```

Message (torch 1.3 to 2.13; `FloatFunctional`):

```text
NotImplementedError: Could not run 'aten::add.out' with arguments from the 'QuantizedCPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build).
```

Message (torch 1.3 to 2.13; `qconfig`):

```text
NotImplementedError: Could not run 'aten::addmm' with arguments from the 'QuantizedCPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build).
```

Message (torch 1.8 to 2.13; `a second time`):

```text
NotImplementedError: Could not run 'aten::quantize_per_tensor' with arguments from the 'QuantizedCPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build).
```

Message (torch 2.0 to 2.13; `past the QuantStub`):

```text
NotImplementedError: Could not run 'quantized::embedding_byte' with arguments from the 'QuantizedCPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build).
```

Message (torch 1.5 to 2.13; `fuse_modules`):

```text
NotImplementedError: Could not run 'aten::native_batch_norm' with arguments from the 'QuantizedCPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build).
```

Message (torch 1.3 to 2.13; `convert it as that one was`):

```text
RuntimeError: Error(s) in loading state_dict for Net:
        While copying the parameter named "fc.bias", whose dimensions in the model are torch.Size([4]) and whose dimensions in the checkpoint are torch.Size([4]), an exception occurred : ('Copying from quantized Tensor to non-quantized Tensor is not allowed, please use dequantize to get a float Tensor from a quantized Tensor',).
```

Message (torch 1.3 to 2.13; `engine`):

```text
RuntimeError: Didn't find engine for operation quantized::conv2d_prepack NoQEngine
```

Message (torch 1.3; `quantized::conv2d`):

```text
RuntimeError: Didn't find kernel to dispatch to for operator 'quantized::conv2d'. Tried to look up kernel for dispatch key 'CPUTensorId'. Registered dispatch keys are: [QuantizedCPUTensorId]
```

Message (torch 2.13; `QuantStub`):

```text
NotImplementedError: Could not run 'quantized::linear' with arguments from the 'CPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build).
```

Message (torch 1.8 to 2.13; `the CPU`):

```text
RuntimeError: Could not run 'quantized::linear' with arguments from the 'CUDA' backend. 'quantized::linear' is only available for these backends: [QuantizedCPU].
```

Message (torch 2.13):

```text
RuntimeError: Copying from quantized Tensor to non-quantized Tensor is not allowed, please use dequantize to get a float Tensor from a quantized Tensor
```

Message (torch 1.3 to 2.13; `QNNPACK`):

```text
RuntimeError: quantized engine QNNPACK is not supported
```

Message (torch 1.5, a prelu of quantized tensors):

```text
RuntimeError: Unimplemented backend QuantizedCPU
```

Message (torch 2.13; `xnnpack`):

```text
RuntimeError: xnnpack is not a valid value for quantized engine
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Could not run '(?:\w+::)?(?P<op>[\w.]+)' with arguments from the 'Quantized\w+' backend",
    r"Unimplemented backend (?P<op>Quantized\w+)",
    odds=0.97,
)
def no_kernel(failure: Failure) -> Hits:
    op = failure.groups["op"]
    says = f"{failure.layer} is not quantized and its input is: DeQuantStub before it, or a qconfig for it"
    if re.match(r"(?:add|sub|mul|div)_?\b", op):
        says = f"`{op}` does not know quantized tensors: FloatFunctional().add(x, y) and its like in the model, or x.dequantize()"
    if op.startswith("quantize_per"):
        says = "the tensor is quantized already, and QuantStub or quantize_per_tensor comes a second time: one of the two"
    if "quantized::embedding" in failure.message:
        says = "an embedding gets its indices quantized: they go past the QuantStub, as integers"
    if "batch_norm" in op:
        says = f"{failure.layer} is not fused, and its input is quantized: fuse_modules before prepare, or DeQuantStub before it"
    yield failure.hit(says, operator=op)


@pitfall.explains(r"Input type \(c10::q\w+\) and \w+ type \(float\) should be the same", odds=0.98)
def float_weights(failure: Failure) -> Hits:
    says = f"{failure.layer} holds floats and its input is quantized: DeQuantStub before it, or a qconfig for it before convert"
    yield failure.hit(says)


@pitfall.explains(r"Didn't find engine for operation (?P<op>quantized::\w+)", odds=0.95)
def no_engine(failure: Failure) -> Hits:
    yield failure.hit(
        f"no engine for {failure.groups['op']}: torch.backends.quantized.engine = one of its supported_engines (qnnpack on ARM)"
    )


@pitfall.explains(
    r"Didn't find kernel to dispatch to for operator '(?P<op>quantized::\w+)'",
    r"Could not run '(?P<op>quantized::\w+)[\w.]*' with arguments from the 'CPU' backend",
    odds=0.95,
)
def input_in_floats(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} gets a plain tensor: QuantStub at the entry of the model"
    )


@pitfall.explains(
    r"Could not run '(?P<op>quantized::\w+)[\w.]*' with arguments from the '(?P<backend>\w*CUDA|MPS|Meta)' backend",
    odds=0.95,
)
def not_on_the_card(failure: Failure) -> Hits:
    op, backend = failure.groups["op"], failure.groups["backend"]
    yield failure.hit(
        f"{op} runs on the CPU alone, and gets {backend}: move model and input to the CPU, or quantize by torchao for the card"
    )


@pitfall.explains(
    r"Copying from quantized Tensor to non-quantized Tensor is not allowed", odds=0.95
)
def copied_to_floats(failure: Failure) -> Hits:
    says = "a quantized tensor is copied into one of floats: x.dequantize() first"
    if failure.shows("load_state_dict") or "While copying the parameter" in failure.message:
        says = "the file is of a quantized model, and this one holds floats: prepare and convert it as that one was, then load_state_dict"
    yield failure.hit(says)


@pitfall.explains(
    r"quantized engine (?P<name>\w+) is not supported",
    r"(?P<name>\w{1,60}) is not a valid value for quantized engine",
    odds=0.95,
)
def engine_not_built(failure: Failure) -> Hits:
    yield failure.hit(
        f"this PyTorch was built without the quantized engine {failure.groups['name']}: one of torch.backends.quantized.supported_engines"
    )
