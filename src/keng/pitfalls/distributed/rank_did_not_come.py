r"""Not all processes came to the meeting point in time.

`init_process_group` waits until as many processes as WORLD_SIZE says have joined the store of rank 0. One
that was not started, died while it started, was given another address or port, or cannot reach the
machine of rank 0 makes all others wait until the timeout.

Cure: start as many processes as WORLD_SIZE says, on every machine; see the log of the one that is missing;
try the address, `nc -vz $MASTER_ADDR $MASTER_PORT`, from its machine.

Bad:

```python
import torch.distributed as dist

dist.init_process_group("nccl", timeout=None)  # seen: waits for those that were not started
print(dist.get_world_size())
```

Good:

```python
import torch.distributed as dist

print(dist.is_available())
```

Message (torch 2.4, at a meeting point):

```text
torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.
```

Message (torch 1.8 to 2.1):

```text
RuntimeError: Timed out initializing process group in store based barrier on rank: 1, for key: store_based_barrier_key:1 (world_size=2, worker_count=1, timeout=0:30:00)
```

Message (torch 2.1 to 2.13; `did not answer`):

```text
torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (10.0.0.1, 29500).
```

Message (torch 2.1 to 2.13; `refuses port 29500`):

```text
torch.distributed.DistNetworkError: The client socket has failed to connect to any network address of (10.0.0.1, 29500). The client socket has failed to connect to 10.0.0.1:29500 (errno: 111 - Connection refused).
```

Message (torch 1.9 to 2.13, torchrun; `10.0.0.1`):

```text
torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store has failed. See inner exception for details.
```

Message (torch 1.9 to 2.13, torchrun):

```text
torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError
```
Message (torch 2.13):

```text
RuntimeError: Gloo connectFullMesh failed with [gloo/transport/tcp/pair.cc:152] timed out connecting: SO_ERROR: Connection refused, remote=[127.0.0.1]:7554$0
```

Message (torch 1.8 to 2.0, of two runs at one port; `another MASTER_PORT`):

```text
RuntimeError: Timed out initializing process group in store based barrier on rank: 0, for key: store_based_barrier_key:1 (world_size=2, worker_count=4, timeout=0:30:00)
```

Message (torch 1.9 and 1.10, torchrun; `10.0.0.1:29500`):

```text
TimeoutError: timed out waiting for tcp store's server: 10.0.0.1:29500
```

Message (torch 1.11 to 2.13, a warning; `harmless`):

```text
[W socket.cpp:601] [c10d] The client socket has failed to connect to [kubernetes.docker.internal]:12345 (system error: 10049 - unknown error).
```

Message (torch 1.9 to 2.13, torchrun; `--rdzv-id`):

```text
torch.distributed.elastic.rendezvous.api.RendezvousClosedError
```

Message (torch 1.8 to 2.13; `rank 1`):

```text
RuntimeError: Rank 1 failed to pass monitoredBarrier in 2000 ms
```

Message (torch 2.4 to 2.13; `300 s`):

```text
torch.distributed.DistStoreError: wait timeout after 300000ms, keys: /default_pg/0//cpu//0/rank_1
```

Message (torch 1.0 to 1.10; `rank 0`):

```text
Traceback (most recent call last):
  File "train.py", line 38, in main_worker
    dist.init_process_group(backend="nccl", init_method=args.dist_url, world_size=1, rank=1)
  File "/env/lib/python3.7/site-packages/torch/distributed/rendezvous.py", line 120, in _tcp_rendezvous_handler
    store = TCPStore(result.hostname, result.port, world_size, start_daemon)
RuntimeError: connect() timed out.
```

Message (torch 1.11 to 2.0; `IP1`):

```text
[E socket.cpp:793] [c10d] The client socket has timed out after 60s while trying to connect to (IP1, 2222).
```

Message (torch 2.1 to 2.13, a warning; `name`):

```text
[W522 06:29:34.248915854 socket.cpp:204] [c10d] The hostname of the client socket cannot be retrieved. err=-3
```

Message (torch 1.0 to 2.13, of gloo or the store; `no way leads`):

```text
RuntimeError: No route to host
```

Message (torch 1.0 to 1.10; `IP address`):

```text
ValueError: host not found: Name or service not known
```

Message (torch 1.0 to 2.13, of gloo; `/etc/hosts`):

```text
RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:799] connect [127.0.1.1]:1234: Connection refused
```

Message (torch 2.1 to 2.13; `of this machine`):

```text
torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (127.0.0.1, 29500).
```
"""

from keng.explain.advice.processes import not_met
from keng.explain.advice.programs import unheard
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="several machines")


@pitfall.explains(
    r"Timed out after (?P<seconds>\d+) seconds waiting for clients\. (?P<came>\d+)/(?P<all>\d+) clients joined",
    r"store based barrier on rank.{1,120}?world_size=(?P<all>\d+), (?:worker_count|num_workers_joined)=(?P<came>\d+)",
    odds=0.95,
)
def not_all_joined(failure: Failure) -> Hits:
    came, everyone = failure.groups["came"], failure.groups["all"]
    says = f"{came} of {everyone} processes came: one was not started, or cannot reach rank 0"
    if int(came) > int(everyone):
        says = f"{came} processes came where {everyone} belong together: another run, or what is left of one, has the same port or file, so another MASTER_PORT"
    yield failure.hit(says)


@pitfall.explains(
    r"client socket has (?:timed out after \d+m?s while trying|failed) to connect to (?:any network address of )?"
    r"\((?P<address>[\w.:-]+), (?P<port>\d+)\)",
    r"(?:client socket has failed to connect to |timed out waiting for tcp store's server: )\[?(?P<address>[\w.:-]{1,100})\]?:(?P<port>\d{1,5})",
    odds=0.9,
)
def nobody_answers(failure: Failure) -> Hits:
    address, port = failure.groups["address"], failure.groups["port"]
    if not failure.kind and failure.frames:
        return  # told on the way, beside an error of another kind
    yield failure.hit(not_met(address, port, failure.message))


@pitfall.explains(
    r"The connection to the C10d store has failed",
    r"Rendezvous(?:Timeout|Closed)Error|(?:^|Error: )Socket Timeout$",
    odds=0.85,
)
def no_meeting(failure: Failure) -> Hits:
    says = "torchrun did not find the others: the same --rdzv-endpoint on all machines, as 10.0.0.1:29500 of the first, and as many started as --nnodes says"
    if "ClosedError" in f"{failure.kind}{failure.message}":
        says = "another node has closed the meeting, as its processes failed or were done: its error stands first; a new try wants a new --rdzv-id"
    yield failure.hit(says)


@pitfall.explains(
    r"(?:gloo/transport/tcp/\w{1,30}\.cc:\d+\] connect |Gloo connectFullMesh failed with.{1,300}?remote=)\[(?P<host>[\w.:]{1,60})\]:(?P<port>\d+)",
    odds=0.85,
)
def peer_does_not_answer(failure: Failure) -> Hits:
    host, port = failure.groups["host"], failure.groups["port"]
    why = "it has ended, or a restart reads the addresses of the ranks before it"
    if host == "127.0.1.1":
        why = "it has ended, or is on another machine, whose /etc/hosts gives its name this address: GLOO_SOCKET_IFNAME"
    yield failure.hit(f"the rank at {host}:{port} does not answer: {why}")


@pitfall.explains(
    r"Ranks? (?P<ranks>\d[\d, ]{0,200}) failed to pass monitoredBarrier in (?P<ms>\d+) ms",
    r"wait timeout after (?P<ms>\d+)ms, keys: (?P<key>\S{1,200})",
    odds=0.85,
)
def waited_for_by_name(failure: Failure) -> Hits:
    seconds, key = int(failure.groups["ms"]) / 1000, failure.groups.get("key", "")
    who = (
        f"nobody wrote `{key}` to the store"
        if key
        else f"rank {failure.groups['ranks']} did not come"
    )
    yield failure.hit(
        f"{who} in {seconds:g} s: it was not started, has died, or still works at what comes before; see its log"
    )


@pitfall.explains(
    r"(?:^|Error: )(?P<what>connect\(\) timed out|(?:Connection timed out|No route to host|Network is unreachable)$|host not found: )",
    odds=0.8,
)
def store_does_not_answer(failure: Failure) -> Hits:
    if failure.kind in ("RuntimeError", "ValueError"):
        yield failure.hit(unheard(failure.groups["what"]))


NAMELESS = (
    "the name of a rank is not found, which does no harm: if it stands still, ranks are missing"
)
pitfall.answers({"The hostname of the client socket cannot be retrieved": NAMELESS}, odds=0.5)
