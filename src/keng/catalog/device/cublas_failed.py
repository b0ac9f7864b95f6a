r"""A matrix product failed inside of cuBLAS.

cuBLAS tells a number, not a reason. When it cannot start (NOT_INITIALIZED, ALLOC_FAILED) the card is
full, or an earlier kernel has failed already: an index or a label out of range is often first noticed
here. EXECUTION_FAILED and INTERNAL_ERROR come from a failed kernel before it or from another cuBLAS in
the process, INVALID_VALUE from two copies of the library, or from a size of 0 or beyond 2**31.

Cure: run with CUDA_LAUNCH_BLOCKING=1, or on the CPU, to see whether an index is out of range; see
`nvidia-smi` for memory; `keng env` for a second cuBLAS in `LD_LIBRARY_PATH`.

Bad:

```python
import torch
from torch import nn

table, head = nn.Embedding(1000, 64).cuda(), nn.Linear(64, 1000).cuda()
tokens = torch.randint(1001, (64, 128), device="cuda")
tokens[0, 0] = 1000
scores = head(table(tokens))  # seen: cuBLAS meets what the look-up has left
```

Good:

```python
import torch

scores = torch.ones(2, 4) @ torch.ones(4, 4)
```

Message (torch 1.13 to 2.13; `cannot start`):

```text
RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`
```

Message (torch 1.13 to 2.13; `CUDA_LAUNCH_BLOCKING=1`):

```text
RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm( handle, opa, opb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)`
```

Message (torch 1.13 to 2.13, two copies; `LD_LIBRARY_PATH`):

```text
RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasGemmEx( handle, opa, opb, m, n, k, &falpha, a, CUDA_R_16F, lda, b, CUDA_R_16F, ldb, &fbeta, c, CUDA_R_16F, ldc, CUDA_R_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP)`
```

Message (torch 0.3 to 1.4; `the GPU program failed to execute`):

```text
RuntimeError: cublas runtime error : the GPU program failed to execute at /pytorch/aten/src/THC/THCBlas.cu:249
```

Message (bitsandbytes 0.37 to 0.43):

```text
Exception: cublasLt ran into an error!
```

Message (torch for CUDA 13, a Volta card; `CUDA 12`):

```text
RuntimeError: CUDA error: CUBLAS_STATUS_ARCH_MISMATCH when calling `cublasCreate(handle)`
```

Message (torch 2.3, ROCm 6.1; `TORCH_BLAS_PREFER_HIPBLASLT=0`):

```text
RuntimeError: CUDA error: HIPBLAS_STATUS_NOT_SUPPORTED when calling `HIPBLAS_STATUS_NOT_SUPPORTED`
```

Message (ROCm):

```text
RuntimeError: CUDA error: HIPBLAS_STATUS_INTERNAL_ERROR when calling `hipblasCreate(handle)`
```

Message (bitsandbytes 0.37 to 0.43, on the line above the error):

```text
cuBLAS API failed with status 15
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


SAYS = {
    "HIPBLASLT": "hipBLASLt does not know this card or product: TORCH_BLAS_PREFER_HIPBLASLT=0",
    "NOT_INITIALIZED": "cuBLAS cannot start: the card is full, or a kernel before has failed; "
    "CUDA_LAUNCH_BLOCKING=1 shows which",
    "INVALID_VALUE": "cuBLAS refuses its arguments: often another cuBLAS from LD_LIBRARY_PATH, or an empty size",
    "ARCH_MISMATCH": "this cuBLAS does not know the card, as that of CUDA 13 one before Turing: a PyTorch for CUDA 12",
}


@pitfall.explains(
    r"(?:CUBLAS|HIPBLAS)_STATUS_(?P<what>(?!ALLOC_FAILED|SUCCESS)[A-Z_]{4,30})", odds=0.75
)
def one_number_for_all(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if what == "NOT_SUPPORTED" and "HIPBLAS" in failure.message:
        what = "HIPBLASLT"
    blamed = f"cuBLAS failed ({what.lower()}), most often for a kernel before it: run with CUDA_LAUNCH_BLOCKING=1"
    yield failure.hit(SAYS.get(what, blamed), status=what)


@pitfall.explains(r"cublasLt ran into an error|cuBLAS API failed with status \d+", odds=0.75)
def of_the_newer_library(failure: Failure) -> Hits:
    yield failure.hit(
        "cuBLASLt, which does products in 8 bits, failed: a size that is no multiple of 16, a card without it, or a kernel before"
    )


@pitfall.explains(r"cublas runtime error : (?P<what>[a-z][a-zA-Z ]{3,60}?)(?: at |$)", odds=0.75)
def in_old_words(failure: Failure) -> Hits:
    yield failure.hit(
        f"cuBLAS failed ({failure.groups['what']}): a kernel before it, a full card, or a CUDA that does not know the card; "
        "CUDA_LAUNCH_BLOCKING=1 tells the first"
    )
