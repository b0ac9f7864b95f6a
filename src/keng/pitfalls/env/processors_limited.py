r"""The container grants fewer processors than Python counts.

`os.cpu_count()` counts the machine's processors, not what a container or a job may use of them. A quota
(`docker run --cpus=4`, the limits of Kubernetes) shows in the control group's files only, the processors that a
job of Slurm is given in `os.sched_getaffinity(0)`. A program that takes
`num_workers=os.cpu_count()`, or as many threads, starts dozens of processes that share a few processors: each is
slow, their memory adds up, and time is lost in switching.

Cure: workers and threads as many as are granted: `num_workers=4`, `torch.set_num_threads(4)`, `OMP_NUM_THREADS=4`.

Machine (`64, and the container may use 4`):

```toml
cpus = 64
[files]
"/proc/self/cgroup" = "0::/\n"
"/sys/fs/cgroup/cpu.max" = "400000 100000\n"
```

Machine (version 1 of control groups, `may use 2`):

```toml
cpus = 16
[files]
"/proc/self/cgroup" = "3:cpu,cpuacct:/docker/8f2\n"
"/sys/fs/cgroup/cpu/cpu.cfs_quota_us" = "200000\n"
"/sys/fs/cgroup/cpu/cpu.cfs_period_us" = "100000\n"
```

Machine (the same without the link that gives one name to both, `may use 1.5`):

```toml
cpus = 64
[files]
"/proc/self/cgroup" = "5:cpu,cpuacct:/\n"
"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us" = "150000\n"
"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us" = "100000\n"
```

Machine (a job of Slurm that is given `8`):

```toml
cpus = 64
[files]
"/proc/self/status" = "Name:\tpython\nCpus_allowed:\t0000000f,0000000f\nCpus_allowed_list:\t0-3,32-35\n"
```

Sound (all that are there; what cannot be read):

```toml
cpus = 4
[files]
"/proc/self/status" = "Cpus_allowed_list:\t0-3\n"
"/proc/self/cgroup" = "broken\n"
```

Sound (nearly all, as Kubernetes leaves some to itself; no quota; the threads are limited):

```toml
cpus = 16
[files]
"/proc/self/cgroup" = "0::/kubepods/pod1\n"
"/sys/fs/cgroup/kubepods/cpu.max" = "max 100000\n"
"/sys/fs/cgroup/kubepods/pod1/cpu.max" = "1200000 100000\n"
```

Sound (the threads are as many as are granted):

```toml
cpus = 64
[environment]
OMP_NUM_THREADS = "4"
[files]
"/proc/self/cgroup" = "0::/\n"
"/sys/fs/cgroup/cpu.max" = "400000 100000\n"
```
"""

from keng.env.machine import Machine
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")
pitfall.breaks("more-workers-than-cores")


@pitfall.probes
def fewer_than_counted(machine: Machine) -> Hits:
    limits = [limit for limit in (machine.cpu_quota, machine.cpus_allowed) if limit is not None]
    most, file = min(limits, default=(machine.cpus, ""))
    if 2 * most > machine.cpus or machine.variable("OMP_NUM_THREADS"):
        return
    granted = max(1, int(most))
    who = "process" if file == "/proc/self/status" else "container"
    yield machine.hit(
        f"os.cpu_count() is {machine.cpus}, and the {who} may use {most:g}: workers and "
        "threads as many as are counted slow each other down",
        f"export OMP_NUM_THREADS={granted} # and num_workers={granted}",
        {file: f"{most:g} processors"},
    )
