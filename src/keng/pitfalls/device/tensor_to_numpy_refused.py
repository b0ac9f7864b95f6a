r"""A tensor is given to NumPy that NumPy cannot hold.

`.numpy()` shares memory, so it needs a tensor in main memory that records no gradient, and of a dtype
that NumPy has. Libraries that plot or count, and `np.array(...)` around a list of losses, call it
without being asked.

Cure: `x.detach().cpu().numpy()`; `.float()` in between for bfloat16; `loss.item()` for one number.

Bad:

```python
import torch

weight = torch.ones(3, requires_grad=True)
array = weight.numpy()  # seen: `weight.detach().numpy()`
```

Bad (a list of losses):

```python
import numpy as np
import torch
from torch import nn

model, losses = nn.Linear(4, 1), []
for step in range(3):
    loss = model(torch.ones(8, 4)).pow(2).mean()
    losses.append(loss)
mean = np.mean(losses)  # seen: `losses` holds tensors that record gradients
```

Bad (a dtype that NumPy lacks):

```python
import torch

x = torch.ones(3, dtype=torch.bfloat16)
array = x.numpy()  # seen: `.float()`
```

Good:

```python
import torch

weight = torch.ones(3, requires_grad=True)
array = weight.detach().cpu().numpy()
array = torch.ones(3, dtype=torch.bfloat16).float().numpy()
```

Message (torch 2.4, CUDA; `.cpu().numpy()`):

```text
TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
```

Message (torch 1.10 to 2.13; `x.detach()`):

```text
BufferError: Can't export tensors that require gradient, use tensor.detach()
```

Message (torch 2.13; `.cuda()`):

```text
AttributeError: Can't get __cuda_array_interface__ on non-CUDA tensor type: torch.FloatTensor If CUDA data is required use tensor.cuda() to copy tensor to device memory.
```

Message (torch 2.0 to 2.13; `full_tensor`):

```text
RuntimeError: .numpy() is not supported for tensor subclasses.
```

Bad (a conjugate over dlpack):

```python
import numpy
import torch

z = torch.ones(2, dtype=torch.cfloat).conj()
y = numpy.from_dlpack(z)  # seen: `resolve_conj()`
```

Message (torch 2.13; `copy=None`):

```text
ValueError: cannot move DLPack tensor from device (<DLDeviceType.kDLCPU: 1>, 0) to (2, 255) without copying. Set copy=None or copy=True.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Can't call numpy\(\) on (?:Tensor|Variable) that requires grad", odds=0.97)
def with_a_gradient(failure: Failure) -> Hits:
    there = failure.live.failing.tensors if failure.live.failing is not None else ()
    held = {each.name.rpartition("[")[0] for each in there}
    if len(held) == 1 and (many := held.pop()) and f"{many}[" not in failure.line:
        form = ".item()" if all(each.shape == () for each in there) else ".detach()"
        says = f"`{many}` holds tensors that record gradients: NumPy takes `{form}` of each"
        yield failure.hit(says, failure.mended("numbers_kept", many, form))
        return
    name = given(failure)
    fix = turned(failure, name, "detach()")
    yield failure.hit(f"`{name}` records a gradient: {name}.detach().numpy()", fix)


@pitfall.explains(r"can't convert (?P<device>[\w:-]+) (?:device type )?tensor to numpy", odds=0.97)
def on_a_device(failure: Failure) -> Hits:
    device = failure.groups["device"]
    yield failure.hit(
        f"the tensor lies on {device}, NumPy in main memory: {given(failure)}.detach().cpu().numpy()"
    )


@pitfall.explains(r"Got unsupported ScalarType (?P<dtype>\w+)", odds=0.9)
def of_a_type_that_numpy_lacks(failure: Failure) -> Hits:
    name = given(failure)
    fix = turned(failure, name, "float()")
    yield failure.hit(
        f"a dtype that NumPy lacks, {failure.groups['dtype']}: {name}.float().numpy()", fix
    )


def turned(failure: Failure, name: str, form: str) -> Fix | None:
    """A fix where `.numpy()` is called, or where what is called by others is named."""
    where = failure.live.failing.where if failure.live.failing is not None else None
    fix: Fix | None = failure.mended("before_numpy", where, form)
    return fix or failure.turned(name, f"{{}}.{form}")


def given(failure: Failure) -> str:
    """The tensor as the user calls it."""
    there = [operand.name for operand in failure.live.operands]
    asked = re.findall(r"([A-Za-z_][\w.]*)\.numpy\(\)", failure.line)
    names = there if len(there) == 1 else asked
    return names[0] if len(names) == 1 else "x"


CURES = {
    "Can't export tensors with the conjugate bit set": "the conjugate is only noted so far: x.resolve_conj() before it goes over by dlpack",
    "Can't export tensors on a different CUDA device index": "the tensor lies on another card than the current one: torch.cuda.set_device(x.device) around it",
    "Can't export tensors that require gradient": "what goes over by dlpack records no gradient: x.detach()",
    "cannot move DLPack tensor from device": "another device is asked for without a copy: copy=None",
    ".numpy() is not supported for tensor subclasses": "a masked, fake or distributed tensor has no one array: its to_tensor() or full_tensor() first, and outside of what is compiled",
    "on Tensor that has conjugate bit set": "the conjugate is only noted so far: x.resolve_conj().numpy()",
    "on Tensor that has negative bit set": "the sign is only noted so far: x.resolve_neg().numpy()",
}
pitfall.answers(CURES, odds=0.97)


pitfall.answers(
    {
        "Can't get __cuda_array_interface__ on non-CUDA tensor": "what CuPy or Numba is given lies on the CPU: x.cuda() first",
        "Can't get __cuda_array_interface__ on Variable that requires": "what CuPy or Numba is given records gradients: x.detach()",
    },
    odds=0.95,
)
