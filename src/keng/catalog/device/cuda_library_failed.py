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

Message (torch 1.8 to 2.13; `CUFFT`):

```text
RuntimeError: cuFFT error: CUFFT_INTERNAL_ERROR
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

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"\b(?P<library>CUSOLVER|CUSPARSE|CURAND)_STATUS_(?P<what>[A-Z_]{3,40})",
    r"\b(?P<library>CUFFT)_(?P<what>INTERNAL_ERROR|EXEC_FAILED|SETUP_FAILED|INVALID_SIZE|ALLOC_FAILED|INVALID_PLAN|"
    r"UNALIGNED_DATA)",
    odds=0.85,
)
def failed_with_a_code(failure: Failure) -> Hits:
    library, what = failure.groups["library"], failure.groups["what"].lower().replace("_", " ")
    yield failure.hit(
        f"{library} failed ({what}): too little memory, NaN in the input, an earlier failed kernel, or a card newer "
        "than the library"
    )


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
