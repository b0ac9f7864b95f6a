r"""A kernel has failed, and a later line is blamed.

Kernels run while Python goes on, so an error in one is told by whichever call asks next. A kernel that
touches memory which is not its tensor's has met an index that nothing checks, or is at fault itself: a
custom operator, or a library built for another card or another CUDA. The process cannot use CUDA after
it.

Cure: run again with `CUDA_LAUNCH_BLOCKING=1`, so that the failing line is named, and look at the
indices and the custom operators there; `compute-sanitizer` names the kernel.

Bad (an operator of one's own reads where nothing is):

```python
import torch

source = "template <typename T> T wild(T x) { return x + *(T*)8; }"
wild = torch.cuda.jiterator._create_jit_fn(source)
y = wild(torch.ones(4, device="cuda"))
print(y)  # seen: here the error is told
```

Good:

```python
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(4, device=device)
print(x + x)
```

Message (torch 0.4):

```text
RuntimeError: an illegal memory access was encountered at /opt/conda/conda-bld/pytorch_1525909934016/work/aten/src/THC/generated/../THCReduceAll.cuh:339
```

Message (torch 2.4):

```text
RuntimeError: CUDA error: an illegal memory access was encountered
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
```

Message (torch 1.13):

```text
RuntimeError: CUDA error: unspecified launch failure
```

Message (torch 1.13, addresses):

```text
RuntimeError: CUDA error: misaligned address
```

Message (torch 1.0 to 1.7):

```text
RuntimeError: cuda runtime error (4) : unspecified launch failure at /pytorch/aten/src/THC/THCTensorCopy.cu:20
```

Message (torch 1.0 to 2.13, Windows or a card with a screen; `launch timed out`):

```text
RuntimeError: CUDA error: the launch timed out and was terminated
```

Message (torch 1.0 to 2.13; `invalid argument`):

```text
RuntimeError: CUDA error: invalid argument
```

Message (torch 1.8 to 2.13, ROCm; `hipErrorLaunchFailure`):

```text
RuntimeError: HIP error: hipErrorLaunchFailure
```

Message (torch 2.0 to 2.13, ROCm):

```text
RuntimeError: HIP error: the operation cannot be performed in the present state
```

Message (ROCm; `AMD_SERIALIZE_KERNEL=3`):

```text
Memory access fault by GPU node-1 (Agent handle: 0x557ad180a690) on address 0x7f909586b000. Reason: Page not present or supervisor privilege.
```

Message (ROCm 5 and 6; `HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION`):

```text
:0:rocdevice.cpp            :2660: 1213 us: 6041 : [pid:6021 tid:0x7f1] Callback: Queue 0x7f10 aborting with error : HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION: The agent attempted to access memory beyond the largest legal address. code: 0x29
```

Message (Triton 2 and 3; `invalid argument`):

```text
RuntimeError: Triton Error [CUDA]: invalid argument
```

Message (xFormers 0.0.30; `invalid argument`):

```text
CUDA error (C:/a/xformers/xformers/third_party/flash-attention/hopper/flash_fwd_launch_template.h:188): invalid argument
```

Message (Intel's Arc, torch 2.5 to 2.13; `UR_RESULT_ERROR_DEVICE_LOST`):

```text
RuntimeError: level_zero backend failed with error: 20 (UR_RESULT_ERROR_DEVICE_LOST)
```

Message (Intel's Arc, torch 1.13 to 2.3; `PI_ERROR_DEVICE_NOT_AVAILABLE`):

```text
RuntimeError: Native API failed. Native API returns: -2 (PI_ERROR_DEVICE_NOT_AVAILABLE) -2 (PI_ERROR_DEVICE_NOT_AVAILABLE)
```

Message (torch 1.8 to 2.13):

```text
RuntimeError: CUDA error: device not ready
```

Message (CUDA 10 to 13; `ending`):

```text
RuntimeError: CUDA error: driver shutting down
```

Message (torch 2.11, CUDA 13, a Triton kernel that writes far outside; `look at its indices`):

```text
torch.AcceleratorError: CUDA error: operation not supported on global/shared address space
Search for `cudaErrorInvalidAddressSpace' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
```

Message (CUDA 10 to 13; `twice`):

```text
RuntimeError: CUDA error: part or all of the requested memory range is already mapped
```

Message (ROCm; `a PyTorch for another ROCm or card`):

```text
RuntimeError: HIP error: the operation cannot be performed in the present state
HIP kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"(?P<what>illegal memory access) was encountered",
    r"(?:(?:CUDA|HIP) error: |Triton Error \[\w+\]: |cuda runtime error \(\d+\) : )(?P<what>unspecified launch failure|"
    r"operation not supported on global/shared address space|misaligned address|an illegal instruction|hardware stack error|invalid program counter)",
    odds=0.85,
)
def blamed_on_another_line(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} in a kernel started before this line: run with "
        "CUDA_LAUNCH_BLOCKING=1 to see which, then look at its indices, or at the custom operator: all it gets on the current card"
    )


@pitfall.explains(
    r"(?P<what>Memory access fault) by GPU node",
    r"\b(?P<what>HSA_STATUS_ERROR_(?:MEMORY_APERTURE_VIOLATION|MEMORY_FAULT|EXCEPTION|ILLEGAL_INSTRUCTION))\b",
    odds=0.85,
)
def broken_on_a_card_of_amds(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} in a kernel started before this line: AMD_SERIALIZE_KERNEL=3 shows which; a card that ROCm does not support, "
        "or HSA_OVERRIDE_GFX_VERSION for another one, breaks so as well"
    )


@pitfall.explains(r"(?P<what>the launch timed out) and was terminated", odds=0.93)
def stopped_by_the_system(failure: Failure) -> Hits:
    yield failure.hit(
        "the launch timed out: the system stops what holds a card with a screen for seconds (TdrDelay); smaller steps"
    )


@pitfall.explains(
    r"(?:(?:CUDA|CUDA driver|HIP) error: |Triton Error \[\w+\]: |cuda runtime error \(\d+\) : |CUDA error \(\S{1,200}:\d+\): )"
    r"(?P<what>invalid argument|invalid resource handle|invalid device context|"
    r"operation not supported(?! on global)|device not ready|the operation cannot be performed|hipError(?:LaunchFailure|IllegalAddress|InvalidValue))",
    odds=0.6,
)
def refused_by_the_driver(failure: Failure) -> Hits:
    says = f"the driver refuses a call ({failure.groups['what']}), perhaps an earlier one"
    cure = "CUDA_LAUNCH_BLOCKING=1 gives the line; then the build for this card, or tensors of a dead process"
    if re.search(r"\bHIP\b|\bhip[A-Z]|ROCm", f"{failure.message} {failure.told}"):
        cure = "a PyTorch for another ROCm or card, as a rule; else AMD_SERIALIZE_KERNEL=3 gives the line"
    yield failure.hit(f"{says}: {cure}")


@pitfall.explains(
    r"\((?P<what>UR_RESULT_ERROR_DEVICE_LOST|PI_ERROR_DEVICE_NOT_AVAILABLE)\)", odds=0.9
)
def card_of_intel_lost(failure: Failure) -> Hits:
    yield failure.hit(
        f"the driver has reset the card ({failure.groups['what']}) after a kernel that failed or took too long: smaller steps, a newer driver"
    )


pitfall.answers(
    {
        "driver shutting down": "the program was ending, and a thread or a destructor still used the card: what came before stands; join threads, and del what lies on the card, before the end",
        "requested memory range is already mapped": "memory is pinned twice (cudaHostRegister): pin it once; the error may come up at a later call",
    },
    odds=0.85,
)
