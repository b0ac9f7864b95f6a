r"""Metal refuses a graph of operations, and the process ends.

PyTorch hands its operations on a Mac to Apple's MPSGraph, whose compiler and asserts are Apple's own. What they refuse raises nothing in
Python: the process aborts with a line of LLVM or a failed assertion. Mostly float16 and float32 have met in one operation, as in
a model of halves with an epsilon in float32; else a tensor is larger than 4 GB or a view reaches further than Metal follows.

Cure: the whole model and its inputs in one dtype, `model.float()` or `--no-half`; `x.contiguous()` before the operation; a newer macOS and PyTorch; the
one operation on the CPU.

Bad:

```python
import torch

x = torch.ones(1, 4, dtype=torch.float16, device="mps")
y = torch.nn.functional.layer_norm(x, (4,), weight=torch.ones(4, device="mps"))
```

Good:

```python
import torch

x = torch.ones(1, 4)
y = torch.nn.functional.layer_norm(x, (4,), weight=torch.ones(4))
```

Message (macOS 12 to 14, of two dtypes; `f32 and f16`):

```text
loc("mps_add"("(mpsFileLoc): /AppleInternal/Library/MetalPerformanceShadersGraph/Core/Files/MPSGraphUtilities.mm":228:0)): error: input types 'tensor<1x1024xf32>' and 'tensor<1024xf16>' are not broadcast compatible
LLVM ERROR: Failed to infer result type(s).
```

Message (macOS 12, of an unknown shape; `f32 and f16`):

```text
error: input types 'tensor<2x1280xf32>' and 'tensor<*xf16>' are not broadcast compatible
LLVM ERROR: Failed to infer result type(s).
```

Message (torch 2.0 to 2.11; `MPSNDArrayDescriptor`):

```text
MPSNDArray.mm:124: failed assertion `[MPSNDArrayDescriptor sliceDimension:withSubrange:] error: subRange.start (6) is not less than length of dimension[0] (6)'
```

Message (torch 1.13; `MPSNDArray`):

```text
/AppleInternal/Library/MetalPerformanceShaders/MPSCore/Types/MPSNDArray.mm:782: failed assertion `[MPSNDArray, initWithBuffer:descriptor:] Error: buffer is not large enough. Must be 20480 bytes '
```

Message (torch 2.0 to 2.3, a large image; `attention in slices`):

```text
MPSTemporaryNDArray.mm:788: failed assertion `[MPSTemporaryNDArray initWithDevice:descriptor:] Error: total bytes of NDArray > 2**32'
```

Message (torch 2.3, a nightly of it):

```text
RuntimeError: Failed to create indexing library, error: Error Domain=MTLLibraryErrorDomain Code=3
```

Message (macOS 14; `command buffer`):

```text
Error: command buffer exited with error status.
        The Metal Performance Shaders operations encoded on it may not have completed.
```

Message (macOS 13 and 14; `indices shape`):

```text
-:27:11: error: invalid input tensor shapes, indices shape and updates shape must be equal
```

Message (torch 2.3, macOS 14; `MPSNDArrayGatherND`):

```text
/AppleInternal/Library/BuildRoots/91a344b1/Library/Caches/com.apple.xbs/Sources/MetalPerformanceShaders/MPSNDArray/Kernels/MPSNDArrayGatherND.mm:256: failed assertion `Rank of updates array (1) must be greater than or equal to inner-most dimension of indices array (300)'
```

Message (torch 2.0 to 2.2; `macOS 14`):

```text
RuntimeError: Undefined type BFloat16
```

Message (torch 2.0 to 2.13; `ComplexFloat`):

```text
RuntimeError: Unsupported type byte size: ComplexFloat
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a Mac")

TYPE = r"'tensor<(?:[\d?*]{1,12}x){0,8}"


@pitfall.explains(
    rf"input types {TYPE}(?P<one>[a-z]+\d+)>' and {TYPE}(?P<other>[a-z]+\d+)>' are not broadcast",
    odds=0.95,
)
def meet_in_one_step(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    if one != other:
        yield failure.hit(
            f"Metal ends the process where {one} and {other} meet: the whole model and its inputs in one dtype"
        )
    else:
        yield failure.hit("Metal ends the process where two shapes meet that do not fit")


@pitfall.explains(
    r"failed assertion .\[(?P<what>MPS\w{2,60})",
    r"\b(?P<what>MPS\w{2,60})\.mm:\d{1,6}: failed assertion",
    r"LLVM ERROR: (?P<what>Failed to infer result type)",
    r"(?P<what>Failed to create indexing library|command buffer exited with error status|indices shape and updates shape must be equal)",
    odds=0.85,
)
def assert_of_apple(failure: Failure) -> Hits:
    says = f"Apple's own check fails ({failure.groups['what']})"
    if re.search(r"2 ?\*\* ?3[12]|2\^3[12]|INT_MAX", failure.message):
        yield failure.hit(
            f"{says}: a tensor is larger than Metal's 4 GB or 2**31 elements: smaller inputs or batches, attention in slices"
        )
        return
    yield failure.hit(
        f"{says}: .contiguous() before it, smaller tensors, a newer macOS or PyTorch, or that operation on the CPU"
    )


@pitfall.explains(
    r"(?:Undefined type|Unsupported type byte size:?) (?P<dtype>BFloat16|Half|Double|Bool|Complex\w{3,8}|Float8_\w{3,12})\b",
    odds=0.9,
)
def without_a_kernel(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"]
    instead = (
        "float16 or float32, or macOS 14 and a newer PyTorch"
        if dtype == "BFloat16"
        else ".float() before it, a newer PyTorch and macOS, or .cpu()"
    )
    yield failure.hit(f"a kernel for Metal is not there for {dtype}: {instead}")
