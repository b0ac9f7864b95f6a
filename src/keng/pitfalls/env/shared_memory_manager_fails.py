r"""The manager of torch's shared memory does not start.

With the sharing strategy `file_system`, which macOS always has, torch starts a small program of its own, `torch_shm_manager`, that removes what is left of shared memory. It makes a folder with a socket under
`TMPDIR`, or `/tmp`. A `TMPDIR` that is not there (that of a batch job which is over, or of another container), is full, or may not be written stops it; so does a file of the package that may not be executed.

Cure: `echo $TMPDIR; df -h $TMPDIR`, then a folder that is there and is on the machine's own disk, with a short path; `chmod +x` for `torch/bin/torch_shm_manager`; or the strategy
`file_descriptor` under Linux.

Bad:

```python
import os
import tempfile

import torch
import torch.multiprocessing

strategy = torch.multiprocessing.get_sharing_strategy()
torch.multiprocessing.set_sharing_strategy("file_system")
os.environ["TMPDIR"] = os.path.join(tempfile.mkdtemp(), "of a job that is over")
try:
    torch.ones(3).share_memory_()  # seen: no folder for the socket
finally:
    torch.multiprocessing.set_sharing_strategy(strategy)
    del os.environ["TMPDIR"]
```

Good:

```python
import torch

torch.ones(3).share_memory_()
```

Message (torch 0.4 to 1.8; `TMPDIR`):

```text
RuntimeError: error executing torch_shm_manager at "/env/lib/python3.8/site-packages/torch/bin/torch_shm_manager" at ../torch/lib/libshm/core.cpp:99
```

Message (torch 1.9 to 2.13; `TMPDIR`):

```text
RuntimeError: no response from torch_shm_manager at "/env/lib/python3.11/site-packages/torch/bin/torch_shm_manager"
```

Message (torch 2.13; `does not answer`):

```text
RuntimeError: Shared memory manager connection has timed out
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?:error executing|no response from) torch_shm_manager at|torch_shm_manager at \S{1,400}: could not generate a random directory",
    r"Shared memory manager (?P<late>connection has timed out|didn't respond with an OK)",
    odds=0.95,
)
def no_socket(failure: Failure) -> Hits:
    says = "torch_shm_manager cannot make its socket, or be run: a TMPDIR that is there, writable and not full, and chmod +x for the program"
    if failure.groups.get("late"):
        says = "torch_shm_manager does not answer: it was killed, or the machine is too busy; the strategy file_descriptor under Linux does without it"
    yield failure.hit(says)
