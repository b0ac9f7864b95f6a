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

Message (torch 1.10 to 2.13, a card before Ampere; `no products of bfloat16`):

```text
RuntimeError: CUDA error: CUBLAS_STATUS_NOT_SUPPORTED when calling `cublasGemmEx( handle, opa, opb, m, n, k, &falpha, a, CUDA_R_16BF, lda, b, CUDA_R_16BF, ldb, &fbeta, c, CUDA_R_16BF, ldc, compute_type, CUBLAS_GEMM_DEFAULT_TENSOR_OP)`
```

Message (torch 2.1 to 2.13; `no such product`):

```text
RuntimeError: CUDA error: CUBLAS_STATUS_NOT_SUPPORTED when calling `cublasLtMatmulAlgoGetHeuristic( ltHandle, computeDesc.descriptor(), Adesc.descriptor(), Bdesc.descriptor(), Cdesc.descriptor(), Cdesc.descriptor(), preference.descriptor(), 1, &heuristicResult, &returnedResult)`
```

Message (torch 1.0, a card newer than its CUDA; `RTX 20 wants 10`):

```text
On my RTX 2080, with cuda=9.0:
RuntimeError: cublas runtime error : the GPU program failed to execute at /pytorch/aten/src/THC/THCBlas.cu:258
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


SAYS = {
    "HIPBLASLT": "hipBLASLt does not know this card or product: TORCH_BLAS_PREFER_HIPBLASLT=0",
    "NOT_INITIALIZED": "cuBLAS cannot start: the card is full, or a kernel before has failed; "
    "CUDA_LAUNCH_BLOCKING=1 shows which",
    "INVALID_VALUE": "cuBLAS refuses its arguments: sizes that do not fit, which the same line on the CPU names, or another cuBLAS from LD_LIBRARY_PATH",
    "NOT_SUPPORTED": "cuBLAS has no such product for this card and these dtypes: float32 or float16, or another cuBLAS from LD_LIBRARY_PATH",
    "ARCH_MISMATCH": "this cuBLAS does not know the card, as that of CUDA 13 one before Turing: a PyTorch for CUDA 12",
}
NO_BFLOAT16 = (
    "this card computes no products of bfloat16, which came with Ampere: float16 or float32"
)
NEWER = re.compile(r"\bRTX\b|\b(?:20[678]0|30[5-9]0)\b|\bCUDA ?[=:]? ?[89]\b", re.IGNORECASE)


@pitfall.explains(
    r"(?:CUBLAS|HIPBLAS)_STATUS_(?P<what>(?!ALLOC_FAILED|SUCCESS)[A-Z_]{4,30})", odds=0.75
)
def one_number_for_all(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if what == "NOT_SUPPORTED" and "HIPBLAS" in failure.message:
        what = "HIPBLASLT"
    if what == "NOT_SUPPORTED" and re.search(r"R_16BF\b", failure.message):
        yield failure.hit(NO_BFLOAT16, status=what)
        return
    blamed = f"cuBLAS failed ({what.lower()}), most often for a kernel before it: run with CUDA_LAUNCH_BLOCKING=1"
    yield failure.hit(SAYS.get(what, blamed), status=what)


@pitfall.explains(r"cublasLt ran into an error|cuBLAS API failed with status \d+", odds=0.75)
def of_the_newer_library(failure: Failure) -> Hits:
    yield failure.hit(
        "cuBLASLt, which does products in 8 bits, failed: a size that is no multiple of 16, a card without it, or a kernel before"
    )


@pitfall.explains(r"cublas runtime error : (?P<what>[a-z][a-zA-Z ]{3,60}?)(?: at |$)", odds=0.75)
def in_old_words(failure: Failure) -> Hits:
    first, last = "a kernel before it, as by wrong labels (CUDA_LAUNCH_BLOCKING=1)", "a full card"
    card = "a CUDA older than the card: RTX 20 wants 10, RTX 30 wants 11"
    told = NEWER.search(f"{failure.message} {failure.told}")
    why = f"{card}; else {first}" if told else f"{first}, {last}, or {card}"
    yield failure.hit(f"cuBLAS failed ({failure.groups['what']}): {why}")
