r"""Tensors on different devices meet in one operation.

Both operands of an operation must lie on one device; PyTorch moves none by itself, except a CPU number
without dimensions. A model is moved as a whole with its parameters and buffers. What it does not take
along: the batch, and tensors that are plain attributes or made in `forward` without `device=`.

Cure: move the model once and every batch; make constants buffers (`register_buffer`), and new tensors
with `device=x.device`.

Bad (the batch stays behind; without a GPU the meta device stands in for one):

```python
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "meta"
model = nn.Linear(3, 2).to(device)
x = torch.ones(4, 3)
y = model(x)  # seen: x lies on the CPU
```

Bad (a constant that is no buffer):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.scale = torch.ones(3)

    def forward(self, x):
        x = self.fc(x)
        return x * self.scale  # seen: the scale was not moved


device = "cuda" if torch.cuda.is_available() else "meta"
net = Net().to(device)
net(torch.ones(2, 3, device=device))
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x):
        x = self.fc(x)
        return x * self.scale


device = "cuda" if torch.cuda.is_available() else "cpu"
net = Net().to(device)
x = torch.ones(2, 3)
net(x.to(device))
```

Message (torch 1.13 to 2.8, CUDA):

```text
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)
```

Message (torch 2.13, CUDA):

```text
RuntimeError: Expected all tensors to be on the same device, but got index is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA__index_select)
```

Message (torch 2.13, a sum):

```text
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:1 and cuda:0!
```

Message (an older torch):

```text
RuntimeError: Input type (CUDAFloatTensor) and weight type (CPUFloatTensor) should be the same
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same
```

Message (torch 1.2 to 1.6):

```text
RuntimeError: Expected object of device type cuda but got device type cpu for argument #1 'self' in call to _th_addmm
```

Message (torch 0.3):

```text
RuntimeError: expected CPU tensor (got CUDA tensor)
```

Message (torch 2.13):

```text
RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cpu)
```

Message (torch 2.13, CPU):

```text
RuntimeError: Expected all tensors to be on the same device. addmm: expected 'mat1' to be a CPU tensor, but got tensor on cuda:0
```

Message (torch 1.1 to 1.7, of a gather over devices):

```text
RuntimeError: All input tensors must be on the same device. Received cpu and cuda:0
```

Message (torch 1.0 to 2.13, a recurrent layer; `hidden`):

```text
RuntimeError: Input and hidden tensors are not at the same device, found input tensor at cuda:0 and hidden tensor at cpu
```

Message (torch 1.0 to 2.13, a model that was not moved; `the weights`):

```text
RuntimeError: Input and parameter tensors are not at the same device, found input tensor at cuda:0 and parameter tensor at cpu
```

Message (torch 1.2 to 2.13, of masked_fill):

```text
RuntimeError: expected self and mask to be on the same device, but got mask on cpu and self on cuda:0
```

Message (torch 1.12 to 2.13, on a Mac; `mps`):

```text
RuntimeError: Placeholder storage has not been allocated on MPS device!
```

Message (torch 2.0, on a Mac; `on the CPU`):

```text
RuntimeError: Input type (MPSFloatType) and weight type (torch.FloatTensor) should be the same
```

Message (on a card of Intel's; `the model was not moved`):

```text
RuntimeError: Input type (XPUFloatType) and weight type (torch.FloatTensor) should be the same or input should be a MKLDNN tensor and weight is a dense tensor
```

Message (torch 1.0 to 1.4):

```text
RuntimeError: arguments are located on different GPUs at /pytorch/aten/src/THC/generic/THCTensorMathBlas.cu:236
```

Message (torch 1.5 and 1.6):

```text
RuntimeError: Input, output and indices must be on the current device
```

Message (torch 1.3 to 1.6; `CUDA`):

```text
RuntimeError: Expected tensor to have CPU Backend, but got tensor with CUDA Backend (while checking arguments for embedding)
```

Message (torch 1.0 to 1.13, two cards):

```text
RuntimeError: Expected tensor for argument #1 'input' to have the same device as tensor for argument #2 'weight'; but device 0 does not equal 1 (while checking arguments for cudnn_convolution)
```

Message (torch 1.0 to 1.13, a replica; `DataParallel copies`):

```text
  File "/env/lib/python3.8/site-packages/torch/nn/parallel/parallel_apply.py", line 61, in _worker
    output = module(*input, **kwargs)
  File "/home/u/net.py", line 40, in forward
    x = self.stem(x)
  File "/env/lib/python3.8/site-packages/torch/nn/modules/conv.py", line 443, in forward
    return self._conv_forward(input, self.weight, self.bias)
RuntimeError: Expected tensor for argument #1 'input' to have the same device as tensor for argument #2 'weight'; but device 1 does not equal 0 (while checking arguments for cudnn_convolution)
```

Message (torch 1.10 to 2.13, a replica whose model keeps a mask; `a plain tensor`):

```text
  File "/env/lib/python3.11/site-packages/torch/nn/parallel/parallel_apply.py", line 83, in _worker
    output = module(*input, **kwargs)
  File "/home/u/net.py", line 40, in forward
    return x * self.mask
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:1 and cuda:0!
```

Message (torch 1.5 to 1.10):

```text
RuntimeError: Tensor for argument #2 'mat1' is on CPU, but expected it to be on GPU (while checking arguments for addmm)
```

Message (torch 2.1 on a Mac):

```text
RuntimeError: slow_conv2d_forward_mps: input(device='cpu') and weight(device=mps:0')  must be on the same device
```

Message (an older torch):

```text
TypeError: expected CPU (got CUDA)
```

Message (an older torch; `cuda:0 and cpu meet`):

```text
RuntimeError: expected device cuda:0 and dtype Float but got device cpu and dtype Float
```

Message (an older torch):

```text
RuntimeError: expected type torch.cuda.FloatTensor but got torch.FloatTensor
```

Message (torch 0.4):

```text
RuntimeError: Expected object of type torch.FloatTensor but found type torch.cuda.FloatTensor for argument #4 'other'
```

Message (torch 0.3):

```text
RuntimeError: Expected tensor for argument #1 'input' to have the same type as tensor for argument #2 'weight'; but type Variable[torch.cuda.FloatTensor] does not equal Variable[torch.FloatTensor] (while checking arguments for cudnn_convolution)
```

Message (torch 0.2):

```text
TypeError: is_same_size received an invalid combination of arguments - got (torch.FloatTensor), but expected (torch.cuda.FloatTensor other)
```

Message (torch 0.1 to 0.3):

```text
TypeError: torch.addmm received an invalid combination of arguments - got (int, torch.cuda.FloatTensor, int, torch.FloatTensor), but expected one of:
```

Message (torch 2.4 to 2.13, on a Mac):

```text
RuntimeError: Tensor for argument weight is on cpu but expected on mps
```

Message (torch 1.0 to 2.13, of parameters_to_vector):

```text
TypeError: Found two parameters on different devices, this is currently not supported.
```

Message (torch 0.1 to 0.3, two cards):

```text
RuntimeError: Assertion `THCTensor_(checkGPU)(state, 3, self_, src1, src2)' failed.  at /pytorch/torch/lib/THC/generated/../generic/THCTensorMathPointwise.cu:214
```

Message (torch 2.13):

```text
RuntimeError: Expected query, key, and value to have the same device type, but got query.device: meta key.device: cpu and value.device: cpu instead.
```

Message (torch 1.0, two cards):

```text
RuntimeError: binary_op(): expected both inputs to be on same device, but input a is on cuda:0 and input b is on cuda:1
```

Message (torch 1.5 to 1.9, of torch.where):

```text
RuntimeError: expected condition, x and y to be on the same device, but condition is on cuda:0 and x and y are on cpu and cpu respectively
```

Message (torch 0.1 to 1.2; `the input lies on the GPU`):

```text
RuntimeError: input type (torch.cuda.FloatTensor) doesn't match the type of a parameter tensor (torch.FloatTensor)
```

Message (torch 0.1 to 1.2; `its input on the CPU`):

```text
RuntimeError: input type (torch.FloatTensor) doesn't match the type of a parameter tensor (torch.cuda.FloatTensor)
```

Message (torch 1.0 to 1.4, a loss that is added up on the CPU):

```text
RuntimeError: Function AddBackward0 returned an invalid gradient at index 1 - expected type torch.FloatTensor but got torch.cuda.FloatTensor
```

Message (torch 1.5; `cuda:0 and cpu meet`):

```text
RuntimeError: Function AddBackward0 returned an invalid gradient at index 1 - expected type TensorOptions(dtype=float, device=cuda:0, layout=Strided, requires_grad=false) but got TensorOptions(dtype=float, device=cpu, layout=Strided, requires_grad=false) (validate_outputs at /pytorch/torch/csrc/autograd/engine.cpp:484)
```

Message (torch 1.3, several cards; `cuda:3 and cuda:4 meet`):

```text
RuntimeError: Function SqueezeBackward1 returned an invalid gradient at index 0 - expected device cuda:3 but got cuda:4
```

Message (torch 1.9, of block_diag):

```text
RuntimeError: torch.block_diag: input tensors must all be on the same device. Input 0 is on device cpu and input 1 is on device cuda:0
```

Message (torch 1.13 to 2.8, the weights on a card; `the input was not moved`):

```text
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cpu and cuda:0! (when checking argument for argument mat2 in method wrapper_CUDA_mm)
```

Message (torch 1.13 to 2.8, labels; `labels.to(outputs.device)`):

```text
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument target in method wrapper_CUDA_nll_loss_forward)
```

Message (torch 2.11, class weights of a loss; `criterion.to(device)`):

```text
RuntimeError: Expected all tensors to be on the same device, but got weight is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_nll_loss_forward)
```

Message (torch 2.11, a tensor that a module keeps; `register_buffer('scale', ...)`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 11, in <module>
    net(torch.randn(4, 8, device="cuda"))
  File "/env/lib/python3.12/site-packages/torch/nn/modules/module.py", line 1790, in _call_impl
    return forward_call(*args, **kwargs)
  File "/home/u/train.py", line 9, in forward
    return self.head(x * self.scale)
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
```

Message (torch 2.11, while a model on a card is traced by torch.export or torch.compile; `cpu and cuda:0 meet`):

```text
RuntimeError: Unhandled FakeTensor Device Propagation for aten.mm.default, found two different devices cpu, cuda:0
```

Message (torch 2.11, the mask of an attention; `mask.to(x.device)`):

```text
RuntimeError: Expected all tensors to be on the same device, but got batch1 is on cuda:0, different from other tensors on cpu (when checking argument in method wrapper_CUDA_baddbmm)
```

Message (torch 1.8 to 2.8, a step of the optimizer; `made, or its state loaded, before`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 31, in <module>
    optimizer.step()
  File "/env/lib/python3.11/site-packages/torch/optim/adam.py", line 226, in step
    adam(
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
```

Message (torch 1.8 to 2.8, a model that is moved once more; `this layer came after the move`):

```text
model = torchvision.models.resnet18().to(device)
model.fc = nn.Linear(512, 10)
model = model.to(device)

RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument mat2 in method wrapper_CUDA_mm)
```

Message (torch 1.10 to 2.13, without a traceback; `the model or a layer of it`):

```text
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
```

Message (torch 1.1 to 1.9, a metric; `update it with what was gathered`):

```text
I train with 2 gpus using DP, and torchmetrics for PSNR.
RuntimeError: All input tensors must be on the same device. Received cuda:0 and cuda:1
```

Message (Lightning 1, outputs of several cards; `.detach().cpu() of each`):

```text
  File "/home/u/train_pl.py", line 219, in validation_epoch_end
    loss = sum(x["loss"] for x in outputs) / len(outputs)
RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cuda:1!
```

Message (torch 1.10 to 1.13, while a model is exported; `while it is exported`):

```text
[W shape_type_inference.cpp:419] Warning: Constant folding in symbolic shape inference fails: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking arugment for argument index in method wrapper_index_select)
```

Message (torch 1.5 to 2.13, an index on the CPU of a tensor on a card; `another device than the indexed tensor, cuda:0`):

```text
RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cuda:0)
```
"""

from keng.explain.advice.devices import apart_on_cards, layer_and_input, left_behind, of_an_index
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import FailedForward
from keng.tables.devices_apart import NAMED, OTHERS
from keng.tables.legacy_dtypes import APART

pitfall = Pitfall(__name__, __doc__, severity="error")
PARTS = {"mat1": " (the input)", "input": " (the input)"} | dict.fromkeys(
    ("mat2", "weight", "bias", "running_mean", "running_var", "parameter"), " (the weights)"
)
"""What a kernel calls an argument -> what the user knows it as."""


@pitfall.explains(*NAMED, odds=0.7)
def operands_apart(failure: Failure) -> Hits:
    if failure.passed_through("torchmetrics/metric.py"):
        return  # what it makes of it names the metric
    one, argument = (failure.groups.get(name, "") for name in ("one", "argument"))
    other = failure.groups.get("other") or "another device"
    told, fix, place = failure.left_as_it_was(one, other)
    where = {o.name: o.device for o in failure.live.operands if o.device in (one, other)}
    if told:
        yield failure.hit(f"tensors on {one} and {other} meet: {told}", fix, place)
    elif len(set(where.values())) == 2:
        said = " and ".join(f"`{name}` on {device}" for name, device in where.items())
        held = any(name.startswith("self.") for name in where)
        move = "register what belongs to the module as a buffer" if held else "move one of them"
        yield failure.hit(f"{said} meet: {move}")
    elif failure.given is not None and failure.given.device in (one, other):
        yield failure.hit(layer_and_input(failure, one, other, failure.given.device))
    elif "should be either on" in failure.message:
        yield failure.hit(of_an_index(one))
    else:
        named = f"`{argument}`{PARTS.get(argument, '')} lies on {other}, the others on {one}"
        says = named if argument else f"tensors on {one} and {other} meet"
        yield failure.hit(f"{says}: {left_behind(failure, argument, one, other)}")


@pitfall.explains(*APART, odds=0.9)
def told_by_their_types(failure: Failure) -> Hits:
    move = left_behind(failure, "", "", "")
    yield failure.hit(f"one tensor lies on the CPU, and one on a card: {move}")


@pitfall.explains(OTHERS, odds=0.65)
def told_without_names(failure: Failure) -> Hits:
    cards = any(failure.groups.values())
    move = apart_on_cards(failure) if cards else left_behind(failure, "", "", "")
    yield failure.hit(f"tensors on different {'cards' if cards else 'devices'} meet: {move}")


@pitfall.explains(
    r"'(?P<one>\w+)' to have the same device as tensor for argument #\d+ '(?P<other>\w+)'; but device (?P<here>\d+) does not equal (?P<there>\d+)",
    odds=0.9,
)
def on_two_cards(failure: Failure) -> Hits:
    says = "`{one}` lies on card {here}, `{other}` on card {there}".format(**failure.groups)
    yield failure.hit(f"{says}: {apart_on_cards(failure)}")


@pitfall.explains(
    r"[Ii]nput type \((?P<gpu>torch\.(?:cuda|xpu)\.|CUDA|MPS|XPU|HPU|npu)\w+\) (?:and (?P<part>weight|bias) type|doesn't match the type of a parameter tensor) \((?:torch\.(?!cuda|xpu)|CPU)\w+\)",
    r"[Ii]nput type \((?:torch\.(?!cuda|xpu)|CPU)\w+\) (?:and (?P<part>weight|bias) type|doesn't match the type of a parameter tensor) \((?:torch\.(?:cuda|xpu)\.|CUDA|MPS|XPU|HPU|npu)\w+\)",
    odds=0.75,
)
def one_left_behind(failure: Failure) -> Hits:
    part, layer = failure.groups["part"] or "weight", failure.layer
    says = f"the {part} of {layer} lies on the GPU, its input on the CPU: move every batch"
    if failure.groups.get("gpu"):
        says = f"the input lies on the GPU, the {part} of {layer} on the CPU: the model was not moved, or this layer is kept where `.to()` does not reach it"
    yield failure.hit(says)


MPS = "the model or its input is not on mps: model.to('mps') and x.to('mps'), whichever was left on the CPU"
pitfall.answers({"Placeholder storage has not been allocated on MPS device": MPS}, odds=0.85)


@pitfall.watches("forward.failed")
def model_and_batch_apart(failed: FailedForward) -> Hits:
    if failed.devices is not None and "device" in failed.message:
        weights, given = failed.devices
        says = f"the weights of `{failed.module}` lie on {weights}, all of its inputs on {given}"
        yield failed.hit(f"{says}: move the batch, or the model")
