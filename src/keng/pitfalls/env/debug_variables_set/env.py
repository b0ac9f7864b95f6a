"""The machine: variables for debugging are still set."""

from __future__ import annotations

from functools import partial

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

COSTS = {
    ("CUDA_LAUNCH_BLOCKING", "1"): partial(say, "waits-for-kernels"),
    ("PYTORCH_NO_CUDA_MEMORY_CACHING", "1"): partial(say, "no-memory-cache"),
    ("PYTORCH_NO_HIP_MEMORY_CACHING", "1"): partial(say, "no-memory-cache"),
    ("TORCH_DISTRIBUTED_DEBUG", "DETAIL"): partial(say, "compares-collectives"),
    ("TORCH_NCCL_BLOCKING_WAIT", "1"): partial(say, "waits-for-collectives"),
    ("TORCHDYNAMO_DISABLE", "1"): partial(say, "compile-disabled"),
    ("TORCH_COMPILE_DISABLE", "1"): partial(say, "compile-disabled"),
    ("PYTORCH_JIT", "0"): partial(say, "jit-disabled"),
    ("NCCL_P2P_DISABLE", "1"): partial(say, "no-peer-to-peer"),
    ("NCCL_SHM_DISABLE", "1"): partial(say, "no-shared-memory"),
    ("NCCL_IB_DISABLE", "1"): partial(say, "no-infiniband"),
    ("MKL_VERBOSE", "1"): partial(say, "calls-printed"),
    ("TORCH_SHOW_CPP_STACKTRACES", "1"): partial(say, "cxx-stack-traces"),
}
"""A variable and the value that costs -> what it costs."""


MANY = 8
"""Processors, of which one is little."""


@probes
def variables_that_cost(machine: Machine) -> Hits:
    for (name, value), costs in COSTS.items():
        if machine.variable(name).upper() == value:
            yield machine.hit(costs(name=name), f"unset {name}", {f"${name}": value})


@probes
def one_thread(machine: Machine) -> Hits:
    """A launcher sets it in its own processes, which have a rank; loaders have workers instead."""
    alone = machine.variable("OMP_NUM_THREADS") == "1" and not machine.variable("RANK")
    if alone and machine.cpus >= MANY:
        yield machine.hit(
            say("one-thread", n=machine.cpus),
            "unset OMP_NUM_THREADS",
            {"$OMP_NUM_THREADS": 1},
            sure=False,
        )
