r"""An operation has no deterministic form, and only such are allowed.

`torch.use_deterministic_algorithms(True)` makes operations fail that would give other bits in another
run: scatter with duplicates, some backward passes of interpolation and pooling on CUDA, and cuBLAS
unless its workspace is fixed before CUDA starts.

Cure: for cuBLAS `CUBLAS_WORKSPACE_CONFIG=:4096:8` in the environment, before the program starts; for
others `use_deterministic_algorithms(True, warn_only=True)`, or another operation.

Bad:

```python
import torch

torch.use_deterministic_algorithms(True)
x = torch.zeros(3)
x.put_(torch.tensor([0, 0]), torch.ones(2))  # seen: `put_`
```

Good:

```python
import torch

torch.use_deterministic_algorithms(True)
x = torch.zeros(3)
x.put_(torch.tensor([0, 0]), torch.ones(2), accumulate=True)
```

Message (torch 1.13 and 2.4, CUDA; `CUBLAS_WORKSPACE_CONFIG`):

```text
RuntimeError: Deterministic behavior was enabled with either `torch.use_deterministic_algorithms(True)` or `at::Context::setDeterministicAlgorithms(true)`, but this operation is not deterministic because it uses CuBLAS and you have CUDA >= 10.2. To enable deterministic behavior in this case, you must set an environment variable before running your PyTorch application: CUBLAS_WORKSPACE_CONFIG=:4096:8 or CUBLAS_WORKSPACE_CONFIG=:16:8.
```

Message (torch 2.4, CUDA):

```text
RuntimeError: upsample_bilinear2d_backward_out_cuda does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, if that's acceptable for your application.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?P<op>[\w:.()]{2,80}) does not have a deterministic implementation, but you set", odds=0.97
)
def only_at_random(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` has no deterministic form: warn_only=True, or another operation"
    )


@pitfall.explains(r"this operation is not deterministic because it uses CuBLAS", odds=0.97)
def cublas_without_workspace(failure: Failure) -> Hits:
    yield failure.hit("set CUBLAS_WORKSPACE_CONFIG=:4096:8 before the program starts, for cuBLAS")
