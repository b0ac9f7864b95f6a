r"""A library of CUDA for linear algebra, transforms or compiling failed.

cuSOLVER, cuFFT, cuSPARSE and NVRTC report by a code. A handle that cannot be made is most often a lack of memory, as these
libraries allocate beside PyTorch's own pool; an internal error follows an earlier failed kernel, NaN in the matrix, a size
that is not supported (half precision wants powers of two in cuFFT), or a card that is newer than the library.

Cure: try the same on the CPU, which tells more; `CUDA_LAUNCH_BLOCKING=1` for the true line; less memory;
`torch.backends.cuda.preferred_linalg_library("magma")` or `"cusolver"` for the other way; a PyTorch built for the card.

Bad:

```python
import torch

x = torch.full((4, 4), float("nan"), device="cuda")
values = torch.linalg.eigvalsh(x)
```

Good:

```python
import torch

x = torch.eye(4)
values = torch.linalg.eigvalsh(x)
```

Message (torch 1.8 to 2.13; `CUSOLVER`):

```text
RuntimeError: cusolver error: CUSOLVER_STATUS_INTERNAL_ERROR, when calling `cusolverDnCreate(handle)`
```

Message (torch 1.8 to 2.13; `most often`):

```text
RuntimeError: cuFFT error: CUFFT_INTERNAL_ERROR
```

Message (torch 1.13 with CUDA 11.7, and the card told beside it; `the card is newer`):

```text
RuntimeError: cuFFT error: CUFFT_INTERNAL_ERROR

NVIDIA GeForce RTX 4090, torch 1.13.1+cu117
```

Message (torch 1.8 to 2.13; `x.cpu() for this step`):

```text
RuntimeError: cusolver error: CUSOLVER_STATUS_ALLOC_FAILED, when calling `cusolverDnSgetrf`
```

Message (torch 1.8 to 2.13; `too little memory on the card mostly`):

```text
RuntimeError: cusolver error: CUSOLVER_STATUS_NOT_INITIALIZED, when calling `cusolverDnCreate(handle)`
```

Message (torch 1.8 to 2.13; `a size that it does not take`):

```text
RuntimeError: cuFFT error: CUFFT_INVALID_SIZE
```

Message (torch 1.8 to 2.13; `NaN or infinity`):

```text
RuntimeError: cuFFT error: CUFFT_EXEC_FAILED
```

Message (torch 1.8 to 2.13, a card newer than the library; `newer`):

```text
RuntimeError: nvrtc: error: invalid value for --gpu-architecture (-arch)
```

Message (torch 1.8 to 2.13; `libnvrtc-builtins`):

```text
RuntimeError: nvrtc: error: failed to open libnvrtc-builtins.so.11.1.
  Make sure that libnvrtc-builtins.so.11.1 is installed correctly.
```

Message (torch 1.5 to 1.7; `7`):

```text
RuntimeError: cusolver error: 7, when calling `cusolverDnCreate(handle)`
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an older PyTorch")

ADA = re.compile(r"\bRTX ?40[5-9]0\b|\b4090\b|\bL40?[Ss]?\b|\bRTX \d000 Ada\b")
WHY = {
    "alloc failed": "too little memory on the card: a smaller batch, or x.cpu() for this step",
    "not initialized": "too little memory on the card mostly, else an earlier kernel failed (CUDA_LAUNCH_BLOCKING=1)",
    "invalid": "a size that it does not take, as 0 or over 2**31: see the shape, in pieces",
    "": "NaN or infinity in the input (x.isfinite().all()), too little memory, an earlier failed kernel, or a card newer than the library",
}
"""By the words of a status."""
OF_ITS_TIME = re.compile(r"\bcu(?:118|1[23]\d)\b|\+cu1[23]|CUDA[ \w:]{0,20}1(?:1\.8|[23]\.\d)")
"""Cards of the generation that came with CUDA 11.8, and what tells a build with that or a newer one."""


@pitfall.explains(
    r"\b(?P<library>CUSOLVER|CUSPARSE|CURAND)_STATUS_(?P<what>[A-Z_]{3,40})",
    r"\b(?P<library>CUFFT)_(?P<what>INTERNAL_ERROR|EXEC_FAILED|SETUP_FAILED|INVALID_SIZE|ALLOC_FAILED|INVALID_PLAN|"
    r"UNALIGNED_DATA)",
    odds=0.85,
)
def failed_with_a_code(failure: Failure) -> Hits:
    library, what = failure.groups["library"], failure.groups["what"].lower().replace("_", " ")
    shown = f"{failure.message}\n{failure.around}\n{failure.told}"
    if library == "CUFFT" and what == "internal error" and not OF_ITS_TIME.search(shown):
        says = "the card is newer" if ADA.search(shown) else "most often a card newer"
        yield failure.hit(
            f"CUFFT failed: {says} than the library, as RTX 40 and L40 are for CUDA 11.7 and before: a PyTorch built with CUDA 11.8 or newer"
        )
        return
    why = next((why for words, why in WHY.items() if words in what), WHY[""])
    yield failure.hit(f"{library} failed ({what}): {why}")


@pitfall.explains(r"nvrtc: error: invalid value for --gpu-architecture", odds=0.93)
def card_newer(failure: Failure) -> Hits:
    yield failure.hit(
        "the card is newer than this PyTorch's compiler: a PyTorch that was built for it"
    )


@pitfall.explains(
    r"failed to open (?P<file>(?:lib)?nvrtc-builtins[\w.]*\.(?:so[\d.]*|dll))", odds=0.95
)
def part_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']} is not found: another CUDA on LD_LIBRARY_PATH, or PyTorch to be installed again"
    )


@pitfall.explains(r"cusolver error: (?P<what>\d+), when calling", odds=0.85)
def failed_with_a_number(failure: Failure) -> Hits:
    yield failure.hit(
        f"cuSOLVER failed (status {failure.groups['what']}): too little memory, an earlier failed kernel, or NaN in the input"
    )
