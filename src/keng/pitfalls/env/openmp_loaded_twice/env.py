"""The machine: two copies of the OpenMP library are loaded into one process."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes


@probes
def error_silenced(machine: Machine) -> Hits:
    value = machine.variable("KMP_DUPLICATE_LIB_OK")
    if value.lower() in ("true", "1", "yes"):
        yield machine.hit(
            say("hides-two-copies-openmp"),
            "unset KMP_DUPLICATE_LIB_OK",
            {"$KMP_DUPLICATE_LIB_OK": value},
        )


@probes
def loaded_before_all(machine: Machine) -> Hits:
    torch = machine.torch
    for path in machine.variable("LD_PRELOAD").replace(":", " ").split():
        own = f"{torch.folder}/torch/lib/libiomp5.so" if torch is not None else ""
        if (
            "libiomp5" in path
            and own
            and machine.exists(own)
            and machine.real(path) != machine.real(own)
        ):
            yield machine.hit(
                say("loaded-before-all-pytorch", path=path),
                "unset LD_PRELOAD",
                {"$LD_PRELOAD": path, own: "there"},
            )
