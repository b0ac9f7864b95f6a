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

Message (torch 2.4, CUDA, of Lightning; `deterministic='warn'`):

```text
  File "/env/lib/python3.11/site-packages/pytorch_lightning/trainer/trainer.py", line 1023, in _run_stage
    self.fit_loop.run()
RuntimeError: cumsum_cuda_kernel does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, if that's acceptable for your application.
```

Message (torch 1.8, CUDA; `a newer PyTorch`):

```text
RuntimeError: index_add_cuda_ does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation if that's acceptable for your application. You can also file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support for this operation.
```

Message (torch 1.13, CUDA; `median CUDA with indices output`):

```text
RuntimeError: median CUDA with indices output does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, if that's acceptable for your application.
```

Message (torch 1.11 to 2.13, which goes on; `from run to run`):

```text
UserWarning: cumsum_cuda_kernel does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True, warn_only=True)'. You can file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support for this operation.
```

Message (an older torch with cudnn.deterministic; `cudnn.deterministic = False`):

```text
RuntimeError: no deterministic convolution algorithms available in CuDNN
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


NEWER = re.compile(
    r"index_(?:add|copy|put)|scatter_add|replication_pad|max_pool3d_with|upsample_(?:bilinear2d|trilinear3d)"
)
"""What has a deterministic form on CUDA in 2.13, and had none in earlier versions."""


@pitfall.explains(
    r"(?P<op>[\w:.()]{2,80}(?: CUDA with indices output| with floating point input| with accumulate=False)?) "
    r"does not have a deterministic implementation, but you set 'torch\.(?P<setter>\w{1,40})",
    odds=0.97,
)
def only_at_random(failure: Failure) -> Hits:
    op, message = failure.groups["op"], failure.message
    if "warn_only=True)'" in message:
        yield failure.hit(
            f"`{op}` only warns, as warn_only=True has it: results may differ a little from run to run"
        )
        return
    off = "operation if that's acceptable" in message  # before 1.11
    lightning = failure.shows("lightning") or "deterministic=True" in failure.told
    way = f"torch.{failure.groups['setter']}(False) around it" if off else "warn_only=True"
    other = "a newer PyTorch, which has one" if NEWER.search(op) else "another operation"
    way = "Trainer(deterministic='warn')" if lightning and not off else way
    yield failure.hit(f"`{op}` has no deterministic form: {way}, or {other}")


@pitfall.explains(r"this operation is not deterministic because it uses CuBLAS", odds=0.97)
def cublas_without_workspace(failure: Failure) -> Hits:
    yield failure.hit("set CUBLAS_WORKSPACE_CONFIG=:4096:8 before the program starts, for cuBLAS")


pitfall.answers(
    {
        "no deterministic convolution algorithms available in CuDNN": "cuDNN has no deterministic algorithm for this convolution: torch.backends.cudnn.deterministic = False, or a newer PyTorch",
    },
    odds=0.95,
)
