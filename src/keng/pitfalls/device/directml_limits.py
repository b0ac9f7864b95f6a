r"""DirectML cannot do what other devices can.

`torch-directml` is a device of a third party, which PyTorch knows as `privateuseone`. Its operations take four dimensions for the most part,
or eight, old constructors such as `x.new(...)` make nothing on it, and modes that work without autograd's versions fail.
What it cannot do comes as an assert of its own or as a bare number of Windows.

Cure: the part that fails on the CPU, `x.cpu()` and back; `torch.empty(..., device=x.device)` for `x.new(...)`; `no_grad` for `inference_mode`; the
torch that belongs to the installed `torch-directml`. On an AMD card ROCm, under Windows too, does more.

Bad:

```python
import torch
import torch_directml

x = torch.zeros(1, 2, 3, 4, 5, device=torch_directml.device())
y = x.permute(0, 2, 1, 3, 4).contiguous()
```

Good:

```python
import torch

x = torch.zeros(1, 2, 3, 4, 5)
y = x.permute(0, 2, 1, 3, 4).contiguous()
```

Message (torch-directml; `4 dimensions`):

```text
RuntimeError: the dimesion of at::Tensor must be 4 or lower, but got 5
```

Message (torch-directml, of torch 1.13; `PrivateUse1`):

```text
RuntimeError: new(): expected key in DispatchKeySet(CPU, CUDA, HIP, XLA, MPS, IPU, XPU, HPU, Lazy, Meta) but got: PrivateUse1
```

Message (torch-directml; `-2147024809`):

```text
RuntimeError: Unknown error -2147024809
```

Message (pytorch-directml):

```text
RuntimeError: CHECK failed: ((((HRESULT)((backend_->dml_device->CreateOperator(&op_desc_, __uuidof(**(&op)), IID_PPV_ARGS_Helper(&op))))) >= 0)) == (true)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="DirectML")


@pitfall.explains(
    r"expected key in DispatchKeySet\([\w, ]{1,200}\) but got: (?P<device>\w+)", odds=0.93
)
def not_by_an_old_constructor(failure: Failure) -> Hits:
    yield failure.hit(
        f"x.new(...) and torch.Tensor(...) make nothing on {failure.groups['device']}: torch.empty(..., device=x.device)"
    )


@pitfall.explains(r"of at::Tensor must be (?P<most>\d) or lower, but got (?P<came>\d+)", odds=0.95)
def too_many_dimensions(failure: Failure) -> Hits:
    most, came = failure.groups["most"], failure.groups["came"]
    yield failure.hit(
        f"this operation of DirectML takes {most} dimensions at most, and {came} came: on the CPU, or fewer dimensions"
    )


@pitfall.explains(
    r"(?:^|Error: )Unknown error (?P<what>-2147\d{6})$",
    r"CHECK failed: .{0,60}?dml_device",
    odds=0.9,
)
def refused_by_windows(failure: Failure) -> Hits:
    what = failure.groups.get("what")
    number = f" ({what})" if what else ""
    yield failure.hit(
        f"DirectML refuses the operation{number}: on the CPU, or another driver, or the torch that belongs to torch-directml"
    )
