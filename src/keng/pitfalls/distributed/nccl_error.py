r"""NCCL, which carries data between GPUs, failed.

The message says little; NCCL's own words come with `NCCL_DEBUG=WARN`. Frequent causes: a network
interface that the machines do not share, shared memory of the container too small (NCCL uses it between
processes), two ranks on one GPU (a missing `torch.cuda.set_device`), or that another rank has died.

Cure: `NCCL_DEBUG=WARN` and read its last lines; `NCCL_SOCKET_IFNAME` for the interface; `--shm-size` for
the container; `torch.cuda.set_device(local_rank)` first of all; look at the rank that failed first.

Bad:

```python
import torch.distributed as dist

dist.init_process_group("nccl")  # seen: needs GPUs and a network between them
```

Good:

```python
import torch.distributed as dist

print(dist.is_nccl_available())
```

Message (torch 2.4; `NCCL_DEBUG=WARN`):

```text
torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1970, unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.20.5
ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.
```

Message (torch 1.13; `NCCL_P2P_DISABLE`):

```text
RuntimeError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1269, internal error, NCCL version 2.14.3
```

Message (torch 2.4, two ranks on one card; `set_device`):

```text
torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:275, invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.20.5
ncclInvalidUsage: This usually reflects invalid usage of NCCL library.
Last error:
Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1000
```

Message (torch 2.4, the other side is gone):

```text
torch.distributed.DistBackendError: [3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: Connection reset by peer
```

Message (torch 1.0 to 2.13, Windows or a build for the CPU; `a build for CUDA`):

```text
RuntimeError: Distributed package doesn't have NCCL built in
```

Message (torch 1.7 to 2.13; `CUDA_VISIBLE_DEVICES`):

```text
ValueError: ProcessGroupNCCL is only supported with GPUs, no GPUs found!
```

Message (a short form; `--shm-size`):

```text
RuntimeError: NCCL error: unhandled system error
```

Message (torch 1.13 to 2.13; `unhandled cuda error`):

```text
ncclUnhandledCudaError: Call to CUDA function failed.
```

Message (NCCL 2.20 to 2.28; `NCCL_SOCKET_IFNAME`):

```text
socketPollConnect: connect to 10.0.0.7<47479> returned Connection refused, exceeded error retry count after 35 attempts
```

Message (NCCL 2.10 to 2.28):

```text
RuntimeError: NCCL WARN Call to connect returned Connection timed out
```

Message (NCCL 2.7 to 2.28; `names none of this machine`):

```text
RuntimeError: NCCL WARN Bootstrap : no socket interface found
```

Message (NCCL 2.12; `9 MiB`):

```text
NCCL WARN Error: failed to extend /dev/shm/nccl-UbzKZ9 to 9637892 bytes
```

Message (NCCL 2.5 to 2.10; `10.0.0.2`):

```text
NCCL WARN Net : Connect to 10.0.0.2<35247> failed : No route to host
```

Message (NCCL 2.18 to 2.25; `firewall`):

```text
[misc/socket.cc:586] [node1:pid=3942408] NCCL WARN socketPollConnect poll() returned 1, no POLLOUT events
```

Message (NCCL 2.8 to 2.20; `at node2 is gone`):

```text
NCCL WARN Net : Connection closed by remote peer node2<40732>
```

Message (NCCL over InfiniBand; `NCCL_IB_DISABLE=1`):

```text
node1:100:200 [0] misc/ibvwrap.cc:252 NCCL WARN Call to ibv_modify_qp failed with error Connection timed out
```

Message (torch 2.1 to 2.4; `internal error`):

```text
torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1691, internal error - please report this issue to the NCCL developers, NCCL version 2.19.3
```

Message (NCCL 2.10 to 2.27; `--shm-size`):

```text
NCCL WARN Error while creating shared memory segment /dev/shm/nccl-kWhcAW (size 9637888)
```

Message (NCCL 2.10 to 2.27; `--shm-size`):

```text
Error while attaching to shared memory segment /dev/shm/nccl-kWhcAW (size 9637888)
```

Message (torch 2.1 to 2.13; `cannot be performed in the present state`):

```text
torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1691, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.19.3
ncclUnhandledCudaError: Call to CUDA function failed.
Last error:
Cuda failure 401 'the operation cannot be performed in the present state'
```

Message (torch 1.3 to 2.13; `more processes than cards`):

```text
RuntimeError: NCCL error in: /pytorch/torch/lib/c10d/../c10d/NCCLUtils.hpp:82, invalid argument, NCCL version 2.4.8
```

Message (torch 1.13 to 2.13; `has ended`):

```text
torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:268, remote process exited or there was a network error, NCCL version 2.21.5
```

Message (torch 2.1 to 2.13; `still busy`):

```text
torch.distributed.DistBackendError: [1] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: wait timeout after 600000ms, keys: /default_pg/0//cuda//0
```
"""

import re

from keng.explain.advice.processes import not_reached, of_nccl
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="several cards")


@pitfall.explains(
    r"Duplicate GPU detected : rank (?P<one>\d+) and rank (?P<other>\d+) both on", odds=0.97
)
def two_ranks_on_one_card(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    says = f"ranks {one} and {other} use the same GPU: torch.cuda.set_device(local_rank) first, and no more processes than cards"
    yield failure.hit(says)


@pitfall.explains(r"NCCL error in: \S{1,300}, (?P<what>[\w ]{5,60}?)(?:,| \(| - )", odds=0.8)
def says_little(failure: Failure) -> Hits:
    if "Duplicate GPU" not in failure.message:
        yield failure.hit(of_nccl(failure.groups["what"], failure.message))


@pitfall.explains(r"store->get\('\w+'\) got error: (?P<why>\w+ \w+(?: by peer)?)", odds=0.85)
def the_other_side_is_gone(failure: Failure) -> Hits:
    why = failure.groups["why"].lower()
    how = "it died first" if "timeout" not in why else "it is still busy before this, or died"
    yield failure.hit(f"rank 0 did not answer ({why}): {how}, see its log")


pitfall.answers(
    {
        "Distributed package doesn't have NCCL built in": 'this build of PyTorch has no NCCL, as those for Windows, macOS and the CPU alone have none: backend="gloo", or under Linux a build for CUDA',
        "ProcessGroupNCCL is only supported with GPUs, no GPUs": 'NCCL finds no card in this process: torch.cuda.is_available(), CUDA_VISIBLE_DEVICES, --gpus of a container; backend="gloo" for the CPU',
    },
    odds=0.95,
)


@pitfall.explains(
    r"NCCL [Ee]rror:? (?:\d+: )?(?:in: )?(?P<what>(?:unhandled (?:system|cuda) error|internal error|invalid (?:usage|argument)|remote "
    r"process exited))",
    r"\bnccl(?P<what>SystemError|InternalError|UnhandledCudaError|InvalidUsage|RemoteError): ",
    odds=0.75,
)
def says_less(failure: Failure) -> Hits:
    if "Duplicate GPU" not in failure.message and "NCCL error in" not in failure.message:
        what = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", failure.groups["what"]).lower()
        yield failure.hit(of_nccl(what, failure.message))


@pitfall.explains(
    r"socket\w{0,20}[Cc]onnect: [Cc]onnect to (?P<where>[\w.:\[\]-]{3,60}?)<\d+> (?:failed|returned) ?:? ?(?P<why>\w[\w ]{3,40})",
    r"Bootstrap : (?P<why>no socket interface) found",
    r"NCCL WARN (?:Net : )?Connect to (?P<where>[\w.:\[\]-]{3,60}?)<\d+> failed : (?P<why>\w[\w ]{3,40})",
    r"NCCL WARN socketPollConnect poll\(\) (?P<why>returned \d+, no POLLOUT events)",
    r"NCCL WARN Call to (?P<infiniband>ibv)_\w{3,30} failed with (?:error )?(?P<why>Connection timed out|Network is unreachable|No such device)",
    r"NCCL WARN Net : (?P<why>Connection closed by remote peer) (?P<where>[\w.:-]{3,80}?)<\d+>",
    r"[Cc]all to (?:connect|recv|send|bind) (?:to (?P<where>\S{1,80}) )?(?:failed|returned) ?:? ?(?P<why>\w[\w ]{3,40})",
    odds=0.85,
)
def address_not_reached(failure: Failure) -> Hits:
    why, where = failure.groups["why"].split(",")[0].lower(), failure.groups.get("where")
    through = failure.groups.get("infiniband", "")
    yield failure.hit(not_reached(where or "the other ranks", why, through))


@pitfall.explains(
    r"failed to extend /dev/shm/nccl-\S{1,20} to (?P<bytes>\d+) bytes",
    r"Error while (?:creating|attaching to) shared memory segment \S{0,40}nccl-\S{1,40} \(size (?P<bytes>\d+)\)",
    odds=0.93,
)
def no_room_in_shm(failure: Failure) -> Hits:
    mib = int(failure.groups["bytes"]) >> 20
    yield failure.hit(
        f"NCCL wants {mib} MiB more of /dev/shm, and a container has 64 MiB: --shm-size=8g, or --ipc=host"
    )
