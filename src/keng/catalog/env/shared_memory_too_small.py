r"""DataLoader workers run out of shared memory.

Workers hand their batches over through shared memory, on Linux the file system `/dev/shm`. Docker gives
a container 64 MB of it, and each worker has `prefetch_factor` batches under way (two by default), so
large batches overflow it. The kernel then kills the worker with a bus error, at any line. The messages
"unable to open shared memory object" and "too many open files" come of another limit: each tensor that
is under way holds an open file.

Cure: start the container with `--shm-size=8g` or `--ipc=host`; otherwise fewer workers, a smaller batch,
or `num_workers=0`. For too many open files raise `ulimit -n`, or call
`torch.multiprocessing.set_sharing_strategy("file_system")`.

Bad (1 GB under way):

```python
import torch
from torch.utils.data import DataLoader

images = [torch.zeros(3, 512, 512) for _ in range(320)]
loader = DataLoader(images, batch_size=40, num_workers=4)
for batch in loader:
    batch.mean()
```

Good:

```python
import torch
from torch.utils.data import DataLoader

images = [torch.zeros(3, 32, 32) for _ in range(8)]
loader = DataLoader(images, batch_size=4)
for batch in loader:
    batch.mean()
```

Message (torch 1.0 to 2.13):

```text
ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).
```

Message (torch 1.0 to 2.13, what the main process says):

```text
RuntimeError: DataLoader worker (pid 4161) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.
```

Message (torch 1.13):

```text
RuntimeError: unable to open shared memory object </torch_2276740_2849291446> in read-write mode: Too many open files (24)
```

Message (torch 1.8 to 2.13):

```text
RuntimeError: unable to allocate shared memory(shm) for file </torch_4161_1234_0>: Success (0)
```

Message (torch 1.8 to 2.13, a full file system):

```text
RuntimeError: unable to write to file </torch_28907_4020605154>: No space left on device (28)
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall
from keng.moments import LoaderBegun

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a small /dev/shm")


@pitfall.explains(
    r"bus error encountered in worker\. This might be caused by insufficient shared memory",
    r"DataLoader worker \(pid \d+\) is killed by signal: Bus error",
    r"unable to allocate shared memory\(shm\) for file",
    r"unable to write to file </torch_\w+>",
    odds=0.95,
)
def overflow(failure: Failure) -> Hits:
    yield failure.hit(
        "/dev/shm is too small for the batches that the workers have under way: --shm-size or "
        "--ipc=host for the container, else fewer workers or smaller batches"
    )


@pitfall.explains(
    r"unable to open shared memory object <\S{1,200}> in read-write mode(?P<why>: Too many open files)?",
    odds=0.9,
)
def too_many_files(failure: Failure) -> Hits:
    sure = bool(failure.groups["why"])
    limit = "the limit of open files" if sure else "the limit of open files or of /dev/shm"
    cure = 'ulimit -n 65536, or set_sharing_strategy("file_system") of torch.multiprocessing'
    yield failure.hit(f"workers have reached {limit}: {cure}", sure=sure)


@pitfall.watches("loader.begun")
def more_than_there_is(loader: LoaderBegun) -> Hits:
    needs, free = loader.in_flight, loader.shared_memory
    if loader.workers and free and needs > free:
        says = f"{loader.workers} workers may have {needs / 2**20:.0f} MiB of batches ready at once"
        yield loader.hit(f"{says}, and /dev/shm has {free / 2**20:.0f} MiB free")
