"""The machine: variables for debugging are still set."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

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


@probes
def variables_that_cost(machine: Machine) -> Hits:
    for name, (value, cost) in COSTS.items():
        if machine.variable(name).upper() == value:
            yield machine.hit(
                say("cost-set-cost", cost=name, cost_2=cost), f"unset {name}", {f"${name}": value}
            )


@probes
def one_thread(machine: Machine) -> Hits:
    """A launcher sets it in its own processes, which have a rank; loaders have workers instead."""
    alone = machine.variable("OMP_NUM_THREADS") == "1" and not machine.variable("RANK")
    if alone and machine.cpus >= MANY:
        yield machine.hit(
            say("what-runs-on-cpu", n=machine.cpus),
            "unset OMP_NUM_THREADS",
            {"$OMP_NUM_THREADS": 1},
            sure=False,
        )
