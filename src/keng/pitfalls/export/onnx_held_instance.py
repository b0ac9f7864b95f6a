r"""The TorchScript exporter is given an object that is not what it seems.

`torch.onnx.export` and tracing hand Python objects to C++, which takes ownership of them. A debugger with a breakpoint
inside the model, or a notebook cell that still holds the half-built graph, keeps its own reference; and a dtype or
device given as a NumPy type or text is an object of another kind. C++ then cannot cast it.

Cure: run it as a script, without breakpoints, in a fresh process; pass plain `int`, `float`, `torch.dtype`.
`torch.onnx.export(..., dynamo=True)`, the default since 2.9, does not go that way at all.

Bad:

```python
import io

import numpy as np
import torch
from torch import nn


class Cast(nn.Module):
    def forward(self, x):
        return x.to(np.dtype("float16"))


torch.onnx.export(Cast(), torch.ones(2), io.BytesIO(), dynamo=False)
```

Good:

```python
import torch
from torch import nn


class Cast(nn.Module):
    def forward(self, x):
        return x.to(torch.float16)


exported = torch.export.export(Cast(), (torch.ones(2),))
```

Message (torch 1.2 to 2.8):

```text
  File "/opt/conda/lib/python3.7/site-packages/torch/onnx/utils.py", line 409, in _export
    fixed_batch_size=fixed_batch_size)
RuntimeError: Unable to cast from non-held to held instance (T& to Holder<T>) (compile in debug mode for type information)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="torch before 2.9 in a debugger")


@pitfall.explains(r"Unable to cast from non-held to held instance", odds=0.95)
def held_elsewhere(failure: Failure) -> Hits:
    says = "something else holds an object of the graph: run it afresh, without breakpoints"
    yield failure.hit(says)
