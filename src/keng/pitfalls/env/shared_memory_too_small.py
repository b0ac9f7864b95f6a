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

Message (torch 1.0 to 2.13, in Kubernetes; `emptyDir`):

```text
I train in a pod of Kubernetes.
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

Machine (Docker's default: `/dev/shm holds 64 MiB`):

```toml
[disks]
"/dev/shm" = { total = 64, free = 64 }
```

Machine (what dead processes left there: `keep 3000 MiB`):

```toml
[disks]
"/dev/shm" = { total = 8192, free = 5192 }
[files]
"/proc/self/stat" = "77 (python) S 1 77"
"/dev/shm/torch_4161_1234_0" = "left"
[sizes]
"/dev/shm/torch_4161_1234_0" = 3000
```

Machine (not sure: most programs come along with it; `1024 open files`):

```toml
[limits]
nofile = 1024
[disks]
"/dev/shm" = { total = 8192, free = 8192 }
```

Sound (large and free; the owner of what is there lives; no such file system):

```toml
[disks]
"/dev/shm" = { total = 8192, free = 5192 }
[files]
"/proc/self/stat" = "77 (python) S 1 77"
"/proc/4161/stat" = "4161 (python) S 1 4161"
"/dev/shm/torch_4161_1234_0" = "in use"
"/dev/shm/sem.mp-1234" = ""
[sizes]
"/dev/shm/torch_4161_1234_0" = 3000
[limits]
nofile = 65536
```

Sound (in a container the owner may be another's):

```toml
[disks]
"/dev/shm" = { total = 8192, free = 5192 }
[files]
"/.dockerenv" = ""
"/dev/shm/torch_4161_1234_0" = "of whom?"
[sizes]
"/dev/shm/torch_4161_1234_0" = 3000
```
"""

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LoaderBegun

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a small /dev/shm")
pitfall.breaks("nccl-error")

MIB = 1 << 20
POD = "an emptyDir of medium Memory at /dev/shm for the pod"
USUAL = 64 * MIB
"""What Docker and Kubernetes give a container that asks for no more."""
FEW_FILES = 1024


@pitfall.explains(
    r"bus error encountered in worker\. This might be caused by insufficient shared memory",
    r"DataLoader worker \(pid [\w<>{}*?.-]{1,20}\) is killed by signal: Bus error",
    r"unable to allocate shared memory\(shm\) for file",
    r"unable to (?:write to|resize) file </torch_\w+>",
    odds=0.95,
)
def overflow(failure: Failure) -> Hits:
    pod = any(word in failure.told for word in ("ubernetes", "k8s", " pod"))
    more = POD if pod else "--shm-size or --ipc=host for the container"
    says = "/dev/shm is too small for the batches that the workers have under way"
    yield failure.hit(f"{says}: {more}, else fewer workers or smaller batches")


@pitfall.explains(
    r"unable to open shared memory object \S{1,200} in read-write mode(?P<why>: Too many open files)?",
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


@pitfall.probes
def small_or_full(machine: Machine) -> Hits:
    space = machine.space("/dev/shm")
    if space is None or space.free > USUAL:
        return
    full = space.total > USUAL
    says = f"has {space.free // MIB} MiB left" if full else f"holds {space.total // MIB} MiB"
    yield machine.hit(
        f"/dev/shm {says}: DataLoader workers die of it when their batches are larger",
        "df -h /dev/shm" if full else "docker run --shm-size=8g ...",
        {"/dev/shm": f"{space.free // MIB} of {space.total // MIB} MiB free"},
    )


@pitfall.probes
def left_by_dead_processes(machine: Machine) -> Hits:
    left = [] if machine.in_container else machine.left_in_shared_memory
    bytes_left = sum(size for _, size in left)
    if bytes_left > USUAL:
        files = [path for path, _ in left]
        yield machine.hit(
            f"{len(files)} files of processes that have ended keep {bytes_left // MIB} MiB of /dev/shm",
            f"rm {' '.join(files[:3])}{' ...' if len(files) > 3 else ''}",
            {path: f"{size // MIB} MiB, its process is gone" for path, size in left[:3]},
        )


@pitfall.probes
def few_open_files(machine: Machine) -> Hits:
    limit = machine.limit("nofile")
    # Elsewhere tensors are handed over by the names of files, which are closed.
    if 0 <= limit <= FEW_FILES and machine.platform == "linux":
        yield machine.hit(
            f"a process may have {limit} open files, and each tensor on its way from a worker is one",
            "ulimit -n 65536",
            {"ulimit -n": limit},
            sure=False,
        )
