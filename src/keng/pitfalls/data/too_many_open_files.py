r"""The process has used up the files it may open.

Workers send tensors as file descriptors; each tensor that the main process still holds keeps one open.
A list of batches, or of many small tensors per sample, passes the limit of 1024 that most systems set.

Cure: `torch.multiprocessing.set_sharing_strategy("file_system")`; a higher `ulimit -n`; keep copies,
`x.clone()`, instead of what the loader gave; return few large tensors instead of many small ones.

Bad:

```python
import resource

import torch

limit = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, limit[1]))
try:
    files = [open("/dev/null") for n in range(100)]  # seen: `Too many open files`
finally:
    resource.setrlimit(resource.RLIMIT_NOFILE, limit)
```

Good:

```python
import torch

torch.multiprocessing.set_sharing_strategy("file_system")
kept = [batch.clone() for batch in torch.utils.data.DataLoader(torch.ones(8))]
```

Message (torch 2.4):

```text
RuntimeError: Too many open files. Communication with the workers is no longer possible. Please increase the limit using `ulimit -n` in the shell or change the sharing strategy by calling `torch.multiprocessing.set_sharing_strategy('file_system')` at the beginning of your code
```

Message (as people retype it):

```text
OSERROR: [Errno 24] Too many files open. It is all from reduction.py line 191 and resource_sharer.py line 48
```

Message (torch 1.13):

```text
RuntimeError: received 0 items of ancdata
```

Message (torch 1.7, in the main process, after the thread that pins):

```text
RuntimeError: Pin memory thread exited unexpectedly
```

Message (Python 3.8 to 3.13, of files that are kept open; `is to be closed`):

```text
Traceback (most recent call last):
  File "/work/train.py", line 20, in __init__
    self.files = [open(path, "rb") for path in paths]
OSError: [Errno 24] Too many open files: '/data/7012.bin'
```

Message (torch 2.13, of workers; `each tensor from a worker`):

```text
Traceback (most recent call last):
  File "/work/train.py", line 20, in <module>
    for batch in loader:
  File "/env/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1145, in __init__
    w.start()
OSError: [Errno 24] Too many open files
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

SENDING = ("torch/utils/data/dataloader.py", "torch/utils/data/_utils/pin_memory.py")


@pitfall.explains(r"Pin memory thread exited unexpectedly", odds=0.7)
def thread_that_pins_has_ended(failure: Failure) -> Hits:
    yield failure.hit(
        "the thread that pins batches has died, most often of files it could not open: raise `ulimit -n`, "
        "or set_sharing_strategy('file_system'); its own traceback stands further up",
    )


@pitfall.explains(
    r"[Tt]oo many (?:open files|files open)|\[Errno 24\]",
    r"received \d+ items of ancdata",
    odds=0.9,
)
def no_more_files(failure: Failure) -> Hits:
    cause = "each tensor from a worker holds one; raise `ulimit -n`, or set_sharing_strategy('file_system')"
    sent = failure.passed_through(*SENDING) or failure.shows("multiprocessing")
    if failure.frames and not sent:
        cause = f"what is opened is to be closed, with open(...) as file; {cause}"
    yield failure.hit(f"the limit is reached (Too many open files): {cause}")
