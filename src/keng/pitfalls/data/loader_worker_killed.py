r"""A DataLoader's worker was ended from outside.

A worker is a process of its own. The kernel kills it when the machine, or the container's limit, is out of memory;
a compiled library in it may crash; a scheduler may end it. The main process only sees that a worker is gone; the
line where it notices has nothing to do with it.

Cure: find out which: `dmesg -T | tail` names what the kernel killed, `num_workers=0` shows a crash or an error
by itself. For memory: fewer workers, a smaller `prefetch_factor`, no Python lists that grow in the dataset.

Bad (killed, as the kernel does it when memory runs out):

```python
import os
import signal

from torch.utils.data import DataLoader, Dataset


class Heavy(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        os.kill(os.getpid(), signal.SIGKILL)


for batch in DataLoader(Heavy(), num_workers=1):  # seen: its worker is gone
    print(batch)
```

Bad (it left by itself):

```python
import os

from torch.utils.data import DataLoader, Dataset


class Leaving(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        os._exit(1)


for batch in DataLoader(Leaving(), num_workers=1):  # seen: its worker is gone
    print(batch)
```

Good:

```python
import torch
from torch.utils.data import DataLoader

for batch in DataLoader(torch.zeros(4, 2), batch_size=2, num_workers=1, prefetch_factor=1):
    print(batch.shape)
```

Message (torch 1.13 to 2.13):

```text
RuntimeError: DataLoader worker (pid 6741) is killed by signal: Killed.
```

Message (torch 1.0 to 2.13, above the traceback; `segmentation fault`):

```text
ERROR: Unexpected segmentation fault encountered in worker.
```

Message (a crash, or Windows; `; under Windows mostly`):

```text
RuntimeError: DataLoader worker (pid(s) 24632, 24668) exited unexpectedly
```

Machine (the group's memory is used up now and then: `has killed 3 processes`):

```toml
[files]
"/proc/self/cgroup" = "0::/user.slice/job\n"
"/sys/fs/cgroup/user.slice/job/memory.max" = "8589934592\n"
"/sys/fs/cgroup/user.slice/job/memory.events" = "low 0\nhigh 0\nmax 912\noom 3\noom_kill 3\n"
```

Machine (version 1 of control groups, `has killed 1 process`):

```toml
[files]
"/proc/self/cgroup" = "4:memory:/docker/8f2\n1:cpuset:/\n"
"/sys/fs/cgroup/memory/memory.limit_in_bytes" = "4294967296\n"
"/sys/fs/cgroup/memory/memory.oom_control" = "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"
```

Sound (a limit that was never met; no limit):

```toml
[files]
"/proc/self/cgroup" = "0::/user.slice/job\n"
"/sys/fs/cgroup/user.slice/job/memory.max" = "8589934592\n"
"/sys/fs/cgroup/user.slice/job/memory.events" = "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n"
```

Sound (nothing limits the memory):

```toml
[files]
"/proc/self/cgroup" = "0::/\n"
"/sys/fs/cgroup/memory.events" = "low 0\nhigh 0\nmax 0\noom 2\noom_kill 2\n"
```

Message (torch 1.3 to 2.13, a worker that left by itself; `exit code 1`):

```text
RuntimeError: DataLoader worker (pid 2804708) exited unexpectedly with exit code 1. Details are lost due to multiprocessing. Rerunning with num_workers=0 may give better error trace.
```

Message (Windows; `num_workers=0`):

```text
RuntimeError: Couldn't open shared event: <torch_123_456_event>, error code: <2>
```

Message (torch 0.3, Windows; `num_workers=0`):

```text
THAllocator.c:162 - MapViewOfFile returns 0x5 (ERROR_ACCESS_DENIED)
```

Message (torch 1.0 to 2.13, with the number left out; `a worker was ended`):

```text
RuntimeError: DataLoader worker (pid <worker_pid>) is killed by signal: Killed.
```

Message (torch 1.0 to 2.13, under Windows; `: under Windows mostly`):

```text
  File "C:\work\train.py", line 40, in <module>
    for batch in loader:
  File "C:\env\lib\site-packages\torch\utils\data\dataloader.py", line 1003, in _try_get_data
    raise RuntimeError('DataLoader worker (pid(s) {}) exited unexpectedly'.format(pids_str)) from e
RuntimeError: DataLoader worker (pid(s) 1448, 8988) exited unexpectedly
```

Message (torch 1.0 to 2.13; `another processor`):

```text
RuntimeError: DataLoader worker (pid 6741) is killed by signal: Illegal instruction.
```

Message (torch 1.0 to 2.13, in a container; `or for a small /dev/shm`):

```text
RuntimeError: DataLoader worker (pid(s) 25) exited unexpectedly
```
"""

from keng.env.machine import Machine
from keng.explain.advice.workers import BY_SIGNAL, gone_for
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LoaderFailed

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("host-out-of-memory")


@pitfall.explains(
    r"DataLoader worker \(pid (?P<pid>[\w<>{}*?.-]{1,20})\) is killed by signal: (?P<signal>Killed|Segmentation fault|Aborted|[AC-Z][\w ]{2,40}?(?=\.))",
    odds=0.97,
)
def signal_told(failure: Failure) -> Hits:
    pid, signal = failure.groups["pid"], failure.groups["signal"]
    cause = BY_SIGNAL.get(signal, "the system's log may tell by whom")
    who = f"worker {pid}" if pid.isdigit() else "a worker"
    yield failure.hit(f"{who} was ended by the signal {signal!r}: {cause}")


@pitfall.explains(
    r"Unexpected (?P<signal>segmentation fault|floating-point exception) encountered in worker",
    odds=0.9,
)
def crash_told(failure: Failure) -> Hits:
    says = "a {signal} in a worker: {cause}"
    yield failure.hit(says.format(cause=BY_SIGNAL["Segmentation fault"], **failure.groups))


@pitfall.explains(
    r"Data[Ll]oader worker \(pid\(s\) (?P<pids>[\d, ]{1,200})\) exited unexpectedly", odds=0.9
)
def gone(failure: Failure) -> Hits:
    yield failure.hit(gone_for(failure, failure.groups["pids"]))


@pitfall.explains(
    r"DataLoader worker \(pid (?P<pid>\d+)\) exited unexpectedly with exit code (?P<code>-?\d+)",
    odds=0.95,
)
def left(failure: Failure) -> Hits:
    says = "worker {pid} ended by itself with exit code {code}, and its error is lost"
    yield failure.hit(f"{says.format(**failure.groups)}: num_workers=0 shows it")


@pitfall.watches("loader.failed")
def worker_gone(loader: LoaderFailed) -> Hits:
    if not loader.message.startswith("RuntimeError: DataLoader worker (pid"):
        return
    free = f"{loader.free / 2**30:.1f} GiB of memory are free now"
    cause = f"the kernel has killed nothing for memory, {free}: it crashed, or somebody ended it"
    if loader.killed_for_memory:
        cause = f"the kernel has killed {loader.killed_for_memory} process for memory; {free}"
    yield loader.hit(f"a worker is gone: {cause}", killed_for_memory=loader.killed_for_memory)


@pitfall.probes
def killed_for_memory(machine: Machine) -> Hits:
    killed, limit = machine.killed_for_memory, machine.memory_limit
    if killed is not None and killed[0] and limit is not None:
        number, file = killed
        yield machine.hit(
            f"the kernel has killed {number} process{'es' if number > 1 else ''} of this container or "
            f"job, whose memory is limited to {limit[0] / 2**30:.1f} GiB",
            f"cat {file}",
            {file: f"oom_kill {number}", limit[1]: limit[0]},
        )


@pitfall.explains(
    r"Couldn't (?:open|map) (?:view of )?shared (?:event|file(?: mapping)?): ?<\w{1,80}>, error code: <(?P<code>[0-9]{1,2})>",
    r"MapViewOfFile returns (?P<code>0x\d+)",
    odds=0.7,
)
def handed_over_by_windows(failure: Failure) -> Hits:
    yield failure.hit(
        f"under Windows a worker could not hand its tensor over (error {failure.groups['code']}), mostly as the other process had ended: num_workers=0 shows why"
    )
