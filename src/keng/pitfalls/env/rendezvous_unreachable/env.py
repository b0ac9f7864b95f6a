"""The machine: the address at which processes are to meet does not work."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

LISTENS = "0A"


@probes
def port_held_before_the_start(machine: Machine) -> Hits:
    port = machine.variable("MASTER_PORT")
    if not port.isdecimal() or machine.variable("RANK"):  # a rank's port is its own store's
        return
    wanted = f":{int(port[:9]):04X}"
    for file in ("/proc/net/tcp", "/proc/net/tcp6"):
        for _, address, _, state, *_ in (line for line in machine.lines(file) if len(line) > 3):
            if address.endswith(wanted) and state == LISTENS:
                yield machine.hit(
                    say("port-held-before-start", port=port),
                    f"ss -ltnp 'sport = :{port}'",
                    {"$MASTER_PORT": port, file: f"{address} listens"},
                )
                return


@probes
def no_such_interface(machine: Machine) -> Hits:
    there = machine.names("/sys/class/net")
    for variable in ("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME") if there else ():
        value = machine.variable(variable)
        exact, named = value.startswith("="), value.lstrip("=").split(",")
        fits = [
            n for n in there for word in named if n == word or (not exact and n.startswith(word))
        ]
        if value and not value.startswith("^") and not fits:
            yield machine.hit(
                say(
                    "no-such-interface",
                    variable=variable,
                    value=value,
                    interfaces=", ".join(there[:6]),
                ),
                f"unset {variable}",
                {f"${variable}": value, "/sys/class/net": " ".join(there[:6])},
            )


@probes
def own_name_is_local(machine: Machine) -> Hits:
    master, world = machine.variable("MASTER_ADDR"), machine.variable("WORLD_SIZE")
    if not master or master != machine.read("/etc/hostname").strip():
        return
    hosts = [line[0] for line in machine.lines("/etc/hosts") if master in line[1:]]
    if world != machine.variable("LOCAL_WORLD_SIZE") and hosts and hosts[0].startswith("127."):
        yield machine.hit(
            say("own-name-is-local", address=master, host=hosts[0]),
            "export MASTER_ADDR=$(hostname -I | cut -d' ' -f1)",
            {"/etc/hosts": f"{hosts[0]} {master}", "$MASTER_ADDR": master},
        )
