r"""A weight cannot become one of 2:4 sparsity, or is asked for more than a product.

`to_sparse_semi_structured` packs a matrix in which two of each four neighbours are zero, for cards that multiply such ones faster. It takes a contiguous matrix
on a CUDA device, of float16, bfloat16, int8 or, with CUTLASS, float32, whose sizes are multiples of a block. The packed tensor knows products with dense ones of the same dtype, and little else: no views but
its own, no slices, no two sparse factors.

Cure: prune first, then `to_sparse_semi_structured(weight.half().cuda().contiguous())`; only layers whose sizes are multiples of the block, 64 at most; `.to_dense()` before anything else.

Bad (on the CPU):

```python
import torch
from torch.sparse import to_sparse_semi_structured

weight = torch.tensor([0.0, 0.0, 1.0, 1.0]).tile(64, 16)
packed = to_sparse_semi_structured(weight)  # seen: `cpu`
```

Good:

```python
import torch

weight = torch.tensor([0.0, 0.0, 1.0, 1.0]).tile(64, 16)
mask = weight != 0
kept = mask.view(-1, 4).sum(1)
assert kept.max() <= 2
```

Message (torch 2.13; `(30, 64)`):

```text
RuntimeError: Error original_tensor.shape torch.Size([30, 64]) is not supported! Both dimensions must be larger or equal than and a multiple of (32, 64)
```

Message (torch 2.13; `float64`):

```text
RuntimeError: Error original_tensor.dtype torch.float64 is not a supported dtype for <class 'torch.sparse.semi_structured.SparseSemiStructuredTensorCUTLASS'>!
```

Message (torch 2.13; `3 dimensions`):

```text
RuntimeError: Error original_tensor.dim = 3 is not supported! Only 2d tensors are currently supported.
```

Message (torch 2.13; `contiguous()`):

```text
RuntimeError: Error original_tensor is not contiguous!Only contiguous tensors are currently supported.
```

Message (torch 2.13; `float16 and torch.float32`):

```text
NotImplementedError: `SparseSemiStructuredTensorCUSPARSELT` matmul: trying to do `A=torch.Size([64, 64]) @ B=torch.Size([64, 64])`, with A.dtype=torch.float16 and B.dtype=torch.float32. This operation is only supported when A and B have the same data type.
```

Message (torch 2.13; `to_dense()`):

```text
NotImplementedError: SparseSemiStructuredTensorCUTLASS only supports a specific set of operations, can't perform requested op (aten.slice.Tensor)
```

Message (torch 2.13; `dense`):

```text
ValueError: `SparseSemiStructuredTensor @ SparseSemiStructuredTensor` is not supported by the hardware
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Error original_tensor\.device= ?(?P<came>[\w:]+) is not supported", odds=0.97)
def elsewhere_than_on_a_card(failure: Failure) -> Hits:
    yield failure.hit(
        f"2:4 sparsity is for NVIDIA cards, and this weight is on {failure.groups['came']}: weight.cuda() first"
    )


@pitfall.explains(
    r"Error original_tensor\.shape torch\.Size\(\[(?P<came>[\d, ]*)\]\) is not supported! Both dimensions must be larger or equal than and a multiple of "
    r"\((?P<wants>[\d, ]+)\)",
    odds=0.97,
)
def no_whole_blocks(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(
        f"the weight is ({came}), no multiple of ({wants}) as this dtype wants: leave this layer dense"
    )


@pitfall.explains(
    r"Error original_tensor\.dtype (?P<came>torch\.\w+) is not a supported dtype for", odds=0.97
)
def of_a_dtype_that_is_not_packed(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['came']} is not packed: float16, bfloat16 or int8; float32 with CUTLASS, float8 with cuSPARSELt"
    )


@pitfall.explains(r"Error original_tensor\.dim = (?P<came>\d+) is not supported", odds=0.97)
def no_matrix(failure: Failure) -> Hits:
    yield failure.hit(
        f"only a matrix is packed, and this has {failure.groups['came']} dimensions: weights of linear layers"
    )


@pitfall.explains(
    r"matmul: trying to do `A=.{3,160}?`, with A\.dtype=(?:B\.dtype=)?(?P<one>torch\.\w+) and [BC]\.dtype=(?P<other>torch\.\w+)",
    odds=0.97,
)
def two_dtypes(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(f"the packed weight and the other have {one} and {other}: one dtype for both")


DENSE = "a packed weight is for products with dense matrices: its to_dense() for all else"
pitfall.answers(
    {
        "Error original_tensor is not contiguous": "only a contiguous weight is packed: weight.contiguous(), as after a transpose",
        "only supports a specific set of operations, can't perform requested op": DENSE,
        "is not implemented for SparseSemiStructuredTensor": DENSE,
        "`SparseSemiStructuredTensor` matmul: ": DENSE,
        "`SparseSemiStructuredTensor @ SparseSemiStructuredTensor` is not": "of two factors one is packed: keep the other dense",
    },
    odds=0.96,
)
