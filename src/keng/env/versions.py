"""The versions that a report of a bug needs, from files alone."""

from __future__ import annotations

import os
import platform
import sys

from keng._util.version import VERSION
from keng.env.machine import Machine

PACKAGES = (
    *("torch", "torchvision", "torchaudio", "numpy", "triton", "transformers", "accelerate"),
    *("lightning", "pytorch-lightning", "peft", "datasets", "torch-geometric"),
)


def versions(machine: Machine) -> dict[str, str]:
    """By name, in the order in which they are printed. Packages that are not installed are left out."""
    from importlib import metadata

    found = {
        "keng": VERSION,
        "python": f"{platform.python_version()} ({sys.executable})",
        "platform": platform.platform(),
        "cpus": str(machine.cpus),
    }
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    if machine.driver:
        found["nvidia driver"] = machine.driver
    return found | _variables()


def _variables() -> dict[str, str]:
    """Of the environment, as far as they change how PyTorch works."""
    names = sorted(name for name in os.environ if name.startswith(("CUDA_", "NCCL_", "PYTORCH_")))
    return {name: os.environ[name] for name in names}
