"""The machine: NumPy 2 is installed with a PyTorch that was compiled for NumPy 1."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.model import Hits, say
from keng.rules import probes


@probes
def older_than_numpy_two(machine: Machine) -> Hits:
    torch, numpy = machine.torch, machine.packages.get("numpy")
    if torch is None or numpy is None or not numbers(torch.version):
        return
    if numbers(torch.version) < (2, 3) and numbers(numpy.version) >= (2,):
        yield machine.hit(
            say("torch-for-numpy-1", torch=torch.version, numpy=numpy.version),
            "pip install 'numpy<2'",
            {torch.file: torch.version, numpy.info: numpy.version},
        )
