r"""The cuDNN library cannot start.

cuDNN is started by the first convolution or recurrent layer that runs on the GPU, and needs memory for
itself then. Where it cannot start, the card is nearly full, several copies of cuDNN are mixed (the one
that came with PyTorch, the system's, one in `LD_LIBRARY_PATH`), or its cache of compiled kernels,
`~/.nv/ComputeCache`, is damaged or belongs to another user.

Cure: look at the free memory with `nvidia-smi`, keep one cuDNN, and remove `~/.nv/ComputeCache`;
`torch.backends.cudnn.enabled = False` shows whether cuDNN is to blame.

Bad (nothing is left for cuDNN):

```python
import torch
from torch import nn

free, total = torch.cuda.mem_get_info()
hoard = torch.empty(free, dtype=torch.uint8, device="cuda")
y = nn.Conv2d(3, 8, 3).cuda()(torch.ones(1, 3, 8, 8, device="cuda"))
```

Good:

```python
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
y = nn.Conv2d(3, 8, 3).to(device)(torch.ones(1, 3, 8, 8, device=device))
```

Message (torch 1.3 to 2.13):

```text
RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(r"CUDNN_STATUS_NOT_INITIALIZED", odds=0.85)
def could_not_start(failure: Failure) -> Hits:
    yield failure.hit(
        "cuDNN cannot start: too little free memory on the card, several copies of cuDNN, or a "
        "damaged ~/.nv/ComputeCache"
    )
