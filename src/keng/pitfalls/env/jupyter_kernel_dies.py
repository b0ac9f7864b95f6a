r"""A notebook's kernel dies, and its error is not shown.

A notebook shows what Python raises. Where the kernel's process itself ends, killed by the system for memory, by a bus
error of `/dev/shm`, or by a crash in compiled code such as two copies of OpenMP, there is nothing left to
show, and the notebook only says that it died. The reason stands in the output of the server, or nowhere.

Cure: `num_workers=0` first; then run the same code as a script, `jupyter nbconvert --to script` and `keng run`, where
the message is seen; look at the memory with `free -h`. Raise the workers again when it runs.

Message (Jupyter):

```text
The kernel appears to have died. It will restart automatically.
```

Message (Visual Studio Code):

```text
The Kernel crashed while executing code in the current cell or a previous cell.
```

Machine (a notebook in a container, `64 MiB of /dev/shm`):

```toml
[files]
"/proc/912/stat" = "912 (jupyter-lab) S 1 912"
"/proc/912/cmdline" = "/opt/conda/bin/python\u0000/opt/conda/bin/jupyter-lab\u0000--ip=0.0.0.0"
[disks]
"/dev/shm" = { total = 64, free = 64 }
```

Machine (`has been killed for memory 2 times`, the kernel or another):

```toml
[environment]
JPY_PARENT_PID = "912"
[files]
"/proc/self/cgroup" = "0::/\n"
"/sys/fs/cgroup/memory.max" = "4294967296\n"
"/sys/fs/cgroup/memory.events" = "max 20\noom 2\noom_kill 2\n"
```

Sound (a notebook with room):

```toml
[environment]
JPY_PARENT_PID = "912"
[files]
"/proc/self/cgroup" = "0::/\n"
"/sys/fs/cgroup/memory.max" = "17179869184\n"
"/sys/fs/cgroup/memory.events" = "max 0\noom 0\noom_kill 0\n"
[disks]
"/dev/shm" = { total = 8192, free = 8192 }
```

Message (Colab; `the main memory of the session`):

```text
Your session crashed after using all available RAM.
```

Message (nbconvert):

```text
nbclient.exceptions.DeadKernelError: Kernel died
```
"""

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

SMALL = 64 << 20
"""Bytes of `/dev/shm` that Docker gives."""


@pitfall.explains(
    r"The kernel appears to have died\. It will restart automatically",
    r"The Kernel crashed while executing code in the",
    r"session crashed after using all available (?P<full>RAM)",
    r"\bKernel died\b",
    odds=0.9,
)
def ended_unseen(failure: Failure) -> Hits:
    says = "the kernel's process was ended, mostly as memory was full, else by compiled code: num_workers=0, see `free -h`, and run it as a script, which shows the message"
    if failure.groups.get("full"):
        says = "the main memory of the session is full: smaller batches, fewer workers, data read in parts, no lists of tensors that grow, or a session with more"
    yield failure.hit(says)


@pitfall.probes
def notebook_without_room(machine: Machine) -> Hits:
    commands = [process.command for process in machine.processes]
    notebook = machine.variable("JPY_PARENT_PID") or any("jupyter" in text for text in commands)
    shared, killed = machine.space("/dev/shm"), machine.killed_for_memory
    if notebook and shared is not None and shared.total <= SMALL:
        yield machine.hit(
            f"the notebook's kernel has {shared.total >> 20} MiB of /dev/shm: workers that overflow it take "
            "the kernel along",
            "docker run --shm-size=8g ...",
            {"/dev/shm": f"{shared.total >> 20} MiB"},
        )
    if notebook and killed is not None and killed[0] and machine.memory_limit is not None:
        yield machine.hit(
            f"a process of the notebook, which may be the kernel, has been killed for memory {killed[0]} times",
            "free -h",
            {killed[1]: f"oom_kill {killed[0]}", machine.memory_limit[1]: machine.memory_limit[0]},
        )
