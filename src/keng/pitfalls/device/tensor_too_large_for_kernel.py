r"""A tensor has more elements than a kernel can count.

Many kernels count in 32 bits, to 2,147,483,647 elements; `quantile` takes 16 million, and `multinomial` 2**24 categories. Long sequences, large
vocabularies times a batch, 3D images and a `WeightedRandomSampler` over a large dataset get there before memory ends.

Cure: do it in pieces, `torch.cat([f(part) for part in x.split(1000)])`; smaller batches; a newer PyTorch, in which more kernels count in
64 bits; `numpy.random.choice`, or sampling over `cumsum` and `searchsorted`, for many categories.

Bad:

```python
import torch

weights = torch.ones(2**24 + 1)
drawn = torch.multinomial(weights, 1)  # seen: `categories`
```

Good:

```python
import torch

weights = torch.ones(1000)
drawn = torch.searchsorted(weights.cumsum(0), torch.rand(1) * weights.sum())
```

Message (torch 1.9 to 2.13, CUDA):

```text
RuntimeError: nonzero is not supported for tensors with more than INT_MAX elements, See https://github.com/pytorch/pytorch/issues/51871
```

Message (torch 1.13 to 2.13, CUDA):

```text
RuntimeError: Expected canUse32BitIndexMath(input) && canUse32BitIndexMath(output) to be true, but got false. (Could this error message be improved? If so, please report an enhancement request to PyTorch.)
```

Message (torch 1.0 to 2.13, CUDA):

```text
RuntimeError: input tensor must fit into 32-bit index math
```

Message (torch 2.13; `16 million`):

```text
RuntimeError: quantile() input tensor is too large
```

Message (torch 0.1 to 1.9, CUDA):

```text
RuntimeError: THCudaTensor sizes too large for THCDeviceTensor conversion at /pytorch/aten/src/THC/generic/THCDeviceTensorUtils.cu:65
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"with more than INT_MAX elements|with less than INT_MAX elements",
    r"THCudaTensor sizes too large for THCDeviceTensor conversion|Slice to sort is too large",
    r"canUse32BitIndexMath\(\w+\)",
    r"tensors? must fit into 32-bit index math",
    odds=0.93,
)
def beyond_32_bits(failure: Failure) -> Hits:
    yield failure.hit(
        "the kernel counts in 32 bits, and the tensor has over 2**31 elements: do it in pieces"
    )


@pitfall.explains(r"number of categories cannot exceed 2\^24", odds=0.97)
def too_many_categories(failure: Failure) -> Hits:
    yield failure.hit(
        "multinomial knows 2**24 categories at most: cumsum and searchsorted, or numpy"
    )


@pitfall.explains(r"quantile\(\) input tensor is too large", odds=0.97)
def too_many_for_a_quantile(failure: Failure) -> Hits:
    yield failure.hit("quantile() takes 16 million numbers at most: sort, or numpy.quantile")
