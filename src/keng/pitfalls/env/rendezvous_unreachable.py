r"""The address at which processes are to meet does not work.

The processes of a job meet at `MASTER_ADDR:MASTER_PORT`. A port that a former run still holds cannot be opened
again. A host whose own name stands for `127.0.1.1` in `/etc/hosts`, as Debian and Ubuntu write it, tells the others an address
that only it can reach. `NCCL_SOCKET_IFNAME` and `GLOO_SOCKET_IFNAME` name network interfaces, which are called
otherwise on every machine.

Cure: end the former run, or take another port: `torchrun --rdzv-endpoint=HOST:0`, `--master-port`; give an address
that the others reach; `ip -brief addr` shows what the interfaces are called.

Message (torch 2.0 to 2.13):

```text
torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use
```

Message (torch 1.8 to 1.13):

```text
RuntimeError: The server socket has failed to listen on any local network address. The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).
```

Message (gloo, torch 2.13):

```text
RuntimeError: [enforce fail at /pytorch/third_party/gloo/gloo/transport/tcp/device.cc:83] ifa != nullptr. Unable to find address for: eth7
```

Machine (`29500 is held` by a process that listens there):

```toml
[environment]
MASTER_ADDR = "127.0.0.1"
MASTER_PORT = "29500"
[files]
"/proc/net/tcp" = "  sl  local_address rem_address   st\n   0: 00000000:733C 00000000:0000 0A 00000000:00000000\n"
```

Machine (`eth7`, which is not there):

```toml
[environment]
NCCL_SOCKET_IFNAME = "eth7"
[files]
"/sys/class/net/lo/" = ""
"/sys/class/net/ens5/" = ""
```

Machine (the host's own name: `127.0.1.1`):

```toml
[environment]
MASTER_ADDR = "node1"
WORLD_SIZE = "16"
LOCAL_WORLD_SIZE = "8"
[files]
"/etc/hostname" = "node1\n"
"/etc/hosts" = "127.0.0.1 localhost\n127.0.1.1 node1\n"
```

Sound (inside the job, whose own store listens; a prefix of names; an address that others reach):

```toml
[environment]
MASTER_ADDR = "node1"
MASTER_PORT = "29500"
RANK = "0"
WORLD_SIZE = "16"
LOCAL_WORLD_SIZE = "8"
NCCL_SOCKET_IFNAME = "ens,eth"
GLOO_SOCKET_IFNAME = "^docker0,lo"
[files]
"/proc/net/tcp" = "  sl  local_address rem_address   st\n   0: 00000000:733C 00000000:0000 0A 00000000:00000000\n"
"/sys/class/net/lo/" = ""
"/sys/class/net/ens5/" = ""
"/etc/hostname" = "node1\n"
"/etc/hosts" = "127.0.0.1 localhost\n10.0.0.11 node1\n"
```

Sound (a port that is free; a name that is written exactly; one machine):

```toml
[environment]
MASTER_ADDR = "node1"
MASTER_PORT = "29501"
NCCL_SOCKET_IFNAME = "=ens5"
WORLD_SIZE = "8"
LOCAL_WORLD_SIZE = "8"
[files]
"/proc/net/tcp" = "  sl  local_address rem_address   st\n   0: 00000000:733C 00000000:0000 0A 00000000:00000000\n   1: 0100007F:733D 0100007F:9C40 06 00000000:00000000\n"
"/sys/class/net/ens5/" = ""
"/etc/hostname" = "node1\n"
"/etc/hosts" = "127.0.1.1 node1\n"
```

Message (torch 1.8):

```text
RuntimeError: Address already in use
```

Message (torch 1.9 to 2.13, torchrun's own store; `port 29500`):

```text
OSError: on 10.0.0.1, port: 29500 already in use
```

Message (torch 1.11 to 2.13, of a log without its exception; `port 29400`):

```text
[W socket.cpp:401] [c10d] The server socket has failed to bind to [::]:29400 (errno: 98 - Address already in use).
[E socket.cpp:435] [c10d] The server socket has failed to listen on any local network address.
```

Message (torch 2.4 to 2.13 on Windows; `USE_LIBUV=0`):

```text
RuntimeError: use_libuv was requested but PyTorch was built without libuv support, throw an error. To disable libuv, set the environment variable USE_LIBUV=0
```

Message (accelerate; `port 29500`):

```text
ConnectionError: Tried to launch distributed communication on port `29500`, but another process is utilizing it. Please specify a different port (such as using the `--main_process_port` flag or specifying a different `main_process_port` in your config file) and rerun your script.
```
"""

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("nccl-error", "rank-did-not-come")

LISTENS = "0A"
ANOTHER = "--master-port=29501 (torchrun), --main_process_port (accelerate) or MASTER_PORT, or end that one"


@pitfall.explains(
    r"server socket has failed to listen on any local network address\..{0,200}?(?:port: |\]:|\d:)(?P<port>\d+)",
    r"distributed communication on port `?(?P<port>\d+)`?, but another process is utilizing it",
    r"server socket has failed to bind to \S{1,80}:(?P<port>\d+) \(errno: (?:48|98)\b",
    r"(?:^|: )on \S{1,80}, port: (?P<port>\d+) already in use",
    odds=0.9,
)
def port_is_held(failure: Failure) -> Hits:
    held = "is held by another run on this machine, or by a former one that has not ended"
    yield failure.hit(f"port {failure.groups['port']} {held}: {ANOTHER}")


@pitfall.explains(r"(?:^|\[Errno \d+\] |: 98 - )Address already in use|EADDRINUSE, mess", odds=0.8)
def some_port_is_held(failure: Failure) -> Hits:
    if "server socket has failed" not in failure.message:
        held = "the port is held by another run on this machine, by one that has not ended, or by a process of this program, where each was told rank 0"
        yield failure.hit(f"{held}: {ANOTHER}")


@pitfall.explains(r"PyTorch was buil[dt] without libuv support", odds=0.97)
def no_libuv(failure: Failure) -> Hits:
    yield failure.hit("this build has no libuv, as those for Windows: set USE_LIBUV=0")


@pitfall.explains(r"Unable to find (?:address|interface) for: (?P<interface>[\w.-]+)", odds=0.9)
def interface_is_not_there(failure: Failure) -> Hits:
    name = failure.groups["interface"]
    yield failure.hit(
        f"there is no network interface {name} here: `ip -brief addr` shows their names"
    )


@pitfall.probes
def port_held_before_the_start(machine: Machine) -> Hits:
    port = machine.variable("MASTER_PORT")
    if not port.isdecimal() or machine.variable("RANK"):  # a rank's port is its own store's
        return
    wanted = f":{int(port[:9]):04X}"
    for file in ("/proc/net/tcp", "/proc/net/tcp6"):
        for _, address, _, state, *_ in (line for line in machine.lines(file) if len(line) > 3):
            if address.endswith(wanted) and state == LISTENS:
                yield machine.hit(
                    f"port {port} is held by a process that listens there: a new job cannot open it",
                    f"ss -ltnp 'sport = :{port}'",
                    {"$MASTER_PORT": port, file: f"{address} listens"},
                )
                return


@pitfall.probes
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
                f"`{variable}` names {value}, and the interfaces are {', '.join(there[:6])}",
                f"unset {variable}",
                {f"${variable}": value, "/sys/class/net": " ".join(there[:6])},
            )


@pitfall.probes
def own_name_is_local(machine: Machine) -> Hits:
    master, world = machine.variable("MASTER_ADDR"), machine.variable("WORLD_SIZE")
    if not master or master != machine.read("/etc/hostname").strip():
        return
    hosts = [line[0] for line in machine.lines("/etc/hosts") if master in line[1:]]
    if world != machine.variable("LOCAL_WORLD_SIZE") and hosts and hosts[0].startswith("127."):
        yield machine.hit(
            f"{master} stands for {hosts[0]} here: processes on other machines look for it on their own",
            "export MASTER_ADDR=$(hostname -I | cut -d' ' -f1)",
            {"/etc/hosts": f"{hosts[0]} {master}", "$MASTER_ADDR": master},
        )
