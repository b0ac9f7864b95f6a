"""The machine: the service that joins the cards of a server is not running."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes


@probes
def switches_without_the_service(machine: Machine) -> Hits:
    switches = [name for name in machine.names("/dev") if name.startswith("nvidia-nvswitch")]
    if not switches or machine.in_container:
        return
    if not any("nv-fabricmanager" in process.command for process in machine.processes):
        yield machine.hit(
            say("cards-joined-switches-nv"),
            "sudo systemctl enable --now nvidia-fabricmanager",
            {f"/dev/{switches[0]}": "there", "/proc": "no nv-fabricmanager"},
        )
