r"""A program asks for CUDA where there is none.

A checkpoint remembers on which device each tensor lay, and `torch.load` puts it back there; `.cuda()`
and `device="cuda"` ask outright. All of them fail where PyTorch was built for the CPU alone, or where
no card is visible.

Cure: choose the device once, `device = "cuda" if torch.cuda.is_available() else "cpu"`, and give it to
`torch.load(path, map_location=device)` too; where there is a card, install a PyTorch with CUDA.

Bad:

```python
import torch

device = "cpu" if torch.cuda.is_available() else "cuda"
x = torch.ones(3)
y = x.to(device)  # seen: nothing asks whether there is a card
```

Good:

```python
import io

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(3, device=device)
file = io.BytesIO()
torch.save(x, file)
file.seek(0)
y = torch.load(file, map_location=device)
```

Message (torch 0.4):

```text
AttributeError: module 'torch._C' has no attribute '_cuda_getDevice'
```

Message (torch 2.4, a number that no card has):

```text
RuntimeError: CUDA error: invalid device ordinal
```

Machine (a PyTorch for the CPU beside a card: `has no CUDA`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA GeForce RTX 3060\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cpu'\ncuda: Optional[str] = None\nhip: Optional[str] = None\n"
```

Sound (a PyTorch for the card; one for AMD's; no card):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA GeForce RTX 3060\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+rocm6.4'\ncuda: Optional[str] = None\nhip: Optional[str] = '6.4.43482'\n"
```

Sound (no card for this process):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cpu'\ncuda: Optional[str] = None\n"
```

Message (torch 1.0 to 1.5):

```text
RuntimeError: cuda runtime error (101) : invalid device ordinal at /pytorch/torch/csrc/cuda/Module.cpp:59
```

Message (torch 1.8 to 2.13, a kernel that this build lacks; `CUDA`):

```text
NotImplementedError: Could not run 'aten::_slow_conv2d_forward' with arguments from the 'CUDA' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build).
```

Message (torch 1.10 to 2.13):

```text
UserWarning: User provided device_type of 'cuda', but CUDA is not available. Disabling
```

Message (torch 1.6 to 2.13):

```text
UserWarning: torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.
```

Message (torch 1.6 to 1.9; `mixed precision is off`):

```text
UserWarning: torch.cuda.amp.autocast only affects CUDA ops, but CUDA is not available.  Disabling.
```

Message (torch 1.6, of gradients on the CPU that a scaler is given; `CPU`):

```text
RuntimeError: Could not run 'aten::_amp_non_finite_check_and_unscale_' with arguments from the 'CPUTensorId' backend. 'aten::_amp_non_finite_check_and_unscale_' is only available for these backends: [CUDATensorId, VariableTensorId].
```

Message (torch 2.13; `CUDAGraph`):

```text
RuntimeError: Tried to instantiate dummy base class CUDAGraph
```

Message (torch 2.13):

```text
RuntimeError: torch.cuda.Stream requires CUDA support
```

Message (torch 2.13):

```text
RuntimeError: Cannot get CUDA generator without ATen_cuda library. PyTorch splits its backend into two shared libraries: a CPU library and a CUDA library; this error has occurred because you are trying to use some CUDA functionality, but the CUDA library has not been loaded by the dynamic linker for some reason.
```

Message (torch 2.13):

```text
RuntimeError: NVTX functions not installed. Are you sure you have a CUDA build?
```

Message (torch 2.13; `accelerator`):

```text
RuntimeError: Cannot access accelerator device when none is available.
```

Message (accelerate):

```text
ValueError: fp16 mixed precision requires a GPU (not 'mps').
```

Message (torch 1.0 to 1.4, on the line above the error):

```text
THCudaCheck FAIL file=torch/csrc/cuda/Module.cpp line=32 error=10 : invalid device ordinal
```

Message (transformers; `mixed precision`):

```text
ValueError: FP16 Mixed precision training with AMP or APEX (`--fp16`) and FP16 half precision evaluation (`--fp16_full_eval`) can only be used on CUDA devices.
```

Message (YOLOv5; `device 0`):

```text
AssertionError: CUDA unavailable, invalid device 0 requested
```

Message (Ultralytics; `device=0`):

```text
ValueError: Invalid CUDA 'device=0' requested. Use 'device=cpu' or pass valid CUDA device(s) if available, i.e. 'device=0' or 'device=0,1,2,3' for Multi-GPU.
```

Message (Lightning 2; `CUDAAccelerator`):

```text
MisconfigurationException: `CUDAAccelerator` can not run on your system since the accelerator is not available. The following accelerator(s) is available and can be passed into `accelerator` argument of `Trainer`: ['cpu'].
```

Message (Lightning 2; `gpu backend`):

```text
MisconfigurationException: No supported gpu backend found!
```

Message (DGL; `cuda`):

```text
DGLError: [17:58:16] /opt/dgl/src/runtime/c_runtime_api.cc:82: Check failed: allow_missing: Device API cuda is not enabled. Please install the cuda version of dgl.
```

Message (an older torch without CUDA; `cuda.FloatTensor`):

```text
RuntimeError: torch.cuda.FloatTensor is not enabled.
```

Message (torch 1.10 to 2.6; `pin_memory=False`):

```text
RuntimeError: Need to provide pin_memory allocator to use pin memory.
```

Message (Lightning 1.6 to 1.9; `GPUAccelerator`):

```text
MisconfigurationException: GPUAccelerator can not run on your system since the accelerator is not available. The following accelerator(s) is available and can be passed into `accelerator` argument of `Trainer`: ['cpu'].
```

Message (Lightning 1 and 2; `a GPU is asked for`):

```text
MisconfigurationException: GPUs requested but none are available.
```

Message (torch 2.13, of torch.sparse.softmax; `sparse tensors alone`):

```text
NotImplementedError: Could not run 'aten::_sparse_softmax' with arguments from the 'CPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build). 'aten::_sparse_softmax' is only available for these backends: [Meta, SparseCPU, BackendSelect, Python, AutogradCPU, AutogradCUDA].
```

Message (torch 1.0 to 2.13, on a Mac; `no Mac has CUDA`):

```text
Traceback (most recent call last):
  File "/Users/me/run.py", line 3, in <module>
    model.cuda()
AssertionError: Torch not compiled with CUDA enabled
```

Message (torch 1.0 to 2.13, Windows; `as PyPI's for Windows is`):

```text
Traceback (most recent call last):
  File "C:\Users\me\run.py", line 3, in <module>
    model.cuda()
AssertionError: Torch not compiled with CUDA enabled
```

Message (torch 1.0 to 2.13, with a card of AMD's; `the build for ROCm`):

```text
It is a Radeon RX 7900 XTX.
AssertionError: Torch not compiled with CUDA enabled
```

Message (torch 1.0 to 2.13, elsewhere; `built without CUDA`):

```text
Traceback (most recent call last):
  File "/home/me/run.py", line 3, in <module>
    model.cuda()
AssertionError: Torch not compiled with CUDA enabled
```
"""

from keng.env.machine import Machine
from keng.explain.advice.cards import built_for_none, there_is_none
from keng.explain.advice.systems import MAC
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.without_cards import WANT_A_CARD

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("map-location-missing")

MPS = "device 'mps' where torch.backends.mps.is_available(), else 'cpu'"


@pitfall.explains(
    r"Torch not compiled with CUDA enabled|PyTorch was (?:compiled without CUDA support|not built with cuda)",
    r"module 'torch\._C' has no attribute '_cuda_\w+'",
    odds=0.95,
)
def built_without_cuda(failure: Failure) -> Hits:
    yield failure.hit(f"no Mac has CUDA: {MPS}" if failure.tells(MAC) else built_for_none(failure))


@pitfall.explains(
    r"(?:CUDA error: |HIP error: |cuda runtime error \(\d+\) : |line=\d+ error=10 : )invalid device ordinal",
    odds=0.8,
)
def no_card_of_that_number(failure: Failure) -> Hits:
    yield failure.hit(
        "no card has that number: CUDA_VISIBLE_DEVICES leaves fewer, from 0 on; of a launcher's processes no more than cards"
    )


@pitfall.probes
def torch_for_the_cpu_beside_a_card(machine: Machine) -> Hits:
    torch, cards = machine.torch, machine.cards
    if torch is not None and cards and not torch.cuda and not torch.hip:
        yield machine.hit(
            f"this PyTorch, {torch.version}, has no CUDA, and there is a card, {cards[0].model or 'unnamed'}: "
            "everything runs on the CPU",
            "pip install --force-reinstall torch",
            {torch.file: "cuda None", cards[0].file: cards[0].model},
        )


@pitfall.explains(
    r"Could not run 'aten::[\w.]+' with arguments from the '(?P<kind>CUDA|MPS|XPU|HIP)' backend",
    odds=0.85,
)
def not_in_this_build(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(
        f"this PyTorch was built without {kind}, or without this operation for it: install the build for {kind}, or "
        "take the CPU"
    )


@pitfall.explains(
    r"(?:User provided device_type of 'cuda'|autocast only affects CUDA ops), but CUDA is not available",
    r"GradScaler is enabled, but CUDA is not available|CUDA is not available or torch_xla is imported",
    r"fp16 mixed precision requires a (?:GPU|CUDA)|half precision evaluation \(`--fp16_full_eval`\) can only be used on CUDA",
    odds=0.95,
)
def mixed_precision_disabled(failure: Failure) -> Hits:
    says = "CUDA is not available, and mixed precision is off: torch.autocast('cpu'), or none"
    if not failure.message.rstrip(". ").endswith("isabling"):
        says = "fp16 mixed precision is asked for, and PyTorch sees no card: without it, or a build with CUDA (torch.version.cuda is None without)"
    yield failure.hit(says)


@pitfall.explains(
    r"Could not run '(?P<op>aten::(?!q_|qscheme|int_repr)[\w.]+)' with arguments from the 'CPU(?:TensorId)?' backend",
    odds=0.85,
)
def not_for_the_cpu(failure: Failure) -> Hits:
    op = failure.groups["op"]
    there = failure.message.partition("backends: [")[2].partition("]")[0].split(", ")
    sparse = "SparseCPU" in there and "CUDA" not in there
    gpu = f"{op} is there for the GPU alone, and the tensors are on the CPU: move them, or leave it out"
    yield failure.hit(f"{op} is there for sparse tensors alone: x.to_sparse()" if sparse else gpu)


@pitfall.explains(*WANT_A_CARD, odds=0.93)
def nothing_to_compute_on(failure: Failure) -> Hits:
    yield failure.hit(there_is_none(failure))
