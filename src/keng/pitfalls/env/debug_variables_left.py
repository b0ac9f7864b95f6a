r"""Variables for debugging are still set.

Some variables that help to find an error make every step slower, or switch a fast way off.
`CUDA_LAUNCH_BLOCKING=1` waits after each kernel, `PYTORCH_NO_CUDA_MEMORY_CACHING=1` asks the driver for each tensor,
`TORCH_DISTRIBUTED_DEBUG=DETAIL` compares each collective between the processes, and `NCCL_P2P_DISABLE=1` sends
through the host's memory what cards could send each other. They stay in a shell's profile or a job's script
when the search is over.

Cure: `unset` them, and take them out of `~/.bashrc` or the job's script.

Machine (`CUDA_LAUNCH_BLOCKING`):

```toml
[environment]
CUDA_LAUNCH_BLOCKING = "1"
```

Machine (`TORCH_DISTRIBUTED_DEBUG` and another):

```toml
[environment]
TORCH_DISTRIBUTED_DEBUG = "DETAIL"
NCCL_P2P_DISABLE = "1"
```

Machine (where errors are met and passed over, it is a second for the first; `C++ frames`):

```toml
[environment]
TORCH_SHOW_CPP_STACKTRACES = "1"
```

Machine (not sure: with many workers that is meant; `one of 32 processors`):

```toml
cpus = 32
[environment]
OMP_NUM_THREADS = "1"
```

Sound (a process of a launcher, which divides the processors):

```toml
cpus = 32
[environment]
OMP_NUM_THREADS = "1"
RANK = "0"
```

Sound (switched off; set to what costs nothing):

```toml
[environment]
CUDA_LAUNCH_BLOCKING = "0"
TORCH_DISTRIBUTED_DEBUG = "INFO"
NCCL_P2P_DISABLE = "0"
PYTHONFAULTHANDLER = "1"
```
"""

from keng.env.machine import Machine
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")

COSTS = {
    "CUDA_LAUNCH_BLOCKING": ("1", "the program waits after each kernel"),
    "PYTORCH_NO_CUDA_MEMORY_CACHING": ("1", "each tensor is asked of the driver"),
    "PYTORCH_NO_HIP_MEMORY_CACHING": ("1", "each tensor is asked of the driver"),
    "TORCH_DISTRIBUTED_DEBUG": (
        "DETAIL",
        "each collective is compared between the processes first",
    ),
    "TORCH_NCCL_BLOCKING_WAIT": ("1", "the program waits for each collective"),
    "TORCHDYNAMO_DISABLE": ("1", "torch.compile does nothing"),
    "TORCH_COMPILE_DISABLE": ("1", "torch.compile does nothing"),
    "PYTORCH_JIT": ("0", "torch.jit does nothing"),
    "NCCL_P2P_DISABLE": ("1", "cards send each other everything through the host's memory"),
    "NCCL_SHM_DISABLE": ("1", "processes send each other everything through the network"),
    "NCCL_IB_DISABLE": ("1", "InfiniBand is not used"),
    "MKL_VERBOSE": ("1", "each call is printed"),
    "TORCH_SHOW_CPP_STACKTRACES": (
        "1",
        "an error waits until the names of its C++ frames are found",
    ),
}
"""Variable -> the value that costs, and what it costs."""

MANY = 8
"""Processors, of which one is little."""


@pitfall.probes
def variables_that_cost(machine: Machine) -> Hits:
    for name, (value, cost) in COSTS.items():
        if machine.variable(name).upper() == value:
            yield machine.hit(f"`{name}` is set: {cost}", f"unset {name}", {f"${name}": value})


@pitfall.probes
def one_thread(machine: Machine) -> Hits:
    """A launcher sets it in its own processes, which have a rank; loaders have workers instead."""
    alone = machine.variable("OMP_NUM_THREADS") == "1" and not machine.variable("RANK")
    if alone and machine.cpus >= MANY:
        yield machine.hit(
            f"`OMP_NUM_THREADS` is 1: what runs on the CPU uses one of {machine.cpus} processors",
            "unset OMP_NUM_THREADS",
            {"$OMP_NUM_THREADS": 1},
            sure=False,
        )
