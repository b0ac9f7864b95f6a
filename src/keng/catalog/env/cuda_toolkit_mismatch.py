r"""An extension is built with another CUDA than PyTorch was.

PyTorch's extension builder takes `nvcc` from `CUDA_HOME` or from the path, and stops where its major
version is not that of `torch.version.cuda`. Where no toolkit is found at all, CUDA_HOME is said to be
not set: PyTorch brings CUDA's libraries, not its compiler.

Cure: install the toolkit of the same version and point `CUDA_HOME` at it, or a PyTorch for the toolkit
that is there; better, take a wheel that is already built.

Bad:

```python
from torch.utils import cpp_extension

cpp_extension.CUDAExtension("scale", ["scale.cu"])  # seen: fails where the toolkit does not fit
```

Good:

```python
import torch

print(torch.version.cuda)
```

Message (torch 1.13 to 2.13):

```text
RuntimeError:
The detected CUDA version (12.4) mismatches the version that was used to compile
PyTorch (11.8). Please make sure to use the same CUDA versions.
```

Message (torch 1.13 to 2.13, no toolkit):

```text
OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.
```

Message (torch 2.4, a compiler that is too new):

```text
error: #error -- unsupported GNU version! gcc versions later than 12 are not supported! The nvcc flag '-allow-unsupported-compiler' can be used to override this version check
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="nvcc")


@pitfall.explains(
    r"The detected CUDA version \((?P<toolkit>[\d.]+)\) mismatches the version that was used to compile\s+"
    r"PyTorch \((?P<torch>[\d.]+)\)",
    odds=0.97,
)
def two_versions(failure: Failure) -> Hits:
    toolkit, torch = failure.groups["toolkit"], failure.groups["torch"]
    yield failure.hit(
        f"nvcc is of CUDA {toolkit}, this PyTorch of {torch}: point CUDA_HOME at a toolkit {torch}, or install "
        f"a PyTorch for {toolkit}"
    )


@pitfall.explains(r"CUDA_HOME environment variable is not set", odds=0.95)
def no_toolkit(failure: Failure) -> Hits:
    yield failure.hit(
        "there is no nvcc: PyTorch brings CUDA's libraries, not the toolkit that compiles"
    )


@pitfall.explains(
    r"unsupported GNU version! gcc versions later than (?P<gcc>\d+) are not supported", odds=0.97
)
def compiler_too_new(failure: Failure) -> Hits:
    yield failure.hit(
        f"this nvcc takes gcc {failure.groups['gcc']} at most: set CC and CXX to such a one"
    )
