"""The machine: `torchvision` or `torchaudio` was built for a different PyTorch version."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.env.packages import parts
from keng.model import Hits, say
from keng.rules import probes


@probes
def wants_another_torch(machine: Machine) -> Hits:
    packages = machine.packages
    torch = packages.get("torch")
    for name in ("torchvision", "torchaudio") if torch is not None else ():
        each = packages.get(name)
        if torch is None or each is None:
            continue
        (own, build), (_, built) = (parts(p.version) for p in (torch, each))
        wanted = machine.pins_of(each).get("torch", own).partition("+")[0]
        if wanted != own or (build and built and build != built):
            yield machine.hit(
                say(
                    "needs-another-torch",
                    name=name,
                    version=each.version,
                    wanted=f"{wanted}+{built}" if built else wanted,
                    torch=torch.version,
                ),
                "pip install --force-reinstall torch torchvision torchaudio",
                {f"{each.info}/METADATA": f"torch=={wanted}", torch.info: torch.version},
            )
