r"""One rank has died, and the others wait for it.

The other processes of a run are not told that one has gone. They come to their next collective and
wait in it, until the launcher ends them or the time-out strikes, and then report that: the error that
counts is the one of the rank that went first. Without any error it was killed, most often by the kernel
because the memory of the machine or container was used up.

Cure: read the first error of the rank that is gone, not the last of the others; where it was killed,
look for memory: `dmesg`, the limit of the container, workers times batches held by each process.

Bad (2 ranks, one raises):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == 1:
    config = {}["learning_rate"]
dist.all_reduce(torch.ones(1))  # seen: rank 1 never comes
```

Bad (2 ranks, one is killed):

```python
import os
import signal

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == 1:
    os.kill(os.getpid(), signal.SIGKILL)
dist.all_reduce(torch.ones(1))  # seen: rank 1 never comes
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.barrier()
config = {"learning_rate": 0.1}
dist.all_reduce(torch.ones(1))
```

Message (torch 2.8 to 2.13; `store of rank 0`):

```text
torch.distributed.DistNetworkError: Failed to recv, got 0 bytes. Connection was likely closed. Did the remote server shutdown or crash?
```

Message (torch 2.13.0, gloo):

```text
RuntimeError: [/__w/pytorch/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:4515. This is typically caused by a remote worker crashing. Check the logs of the remote worker before reporting an error.
```

Message (torch 1.9 to 2.13, the launcher's last words; `first`):

```text
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
  <NO_OTHER_FAILURES>
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  rank      : 1 (local_rank: 1)
  exitcode  : 1 (pid: 4242)
  error_file: <N/A>
  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
```

Message (torch 1.9 to 2.13, ended from outside; `told to end`):

```text
torch.distributed.elastic.multiprocessing.api.SignalException: Process 12077 got signal: 15
```

Message (torch 1.9 to 2.13; `exit code -11`):

```text
ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -11) local_rank: 0 (pid: 31338) of binary: /usr/bin/python
```

Message (torch 1.9 to 2.13, of argparse; `--config`):

```text
usage: train.py [-h] --config CONFIG
train.py: error: the following arguments are required: --config
E0813 06:19:49.809000 161210 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 2) local_rank: 0 (pid: 161617) of binary: /usr/bin/python3.11
```

Message (torch 1.10 to 2.13):

```text
RuntimeError: NCCL communicator was aborted on rank 1.  Original reason for failure was: the process group was shut down
```

Message (torch 1.9 to 2.13, the session was closed; `tmux`):

```text
torch.distributed.elastic.multiprocessing.api.SignalException: Process 12077 got signal: 1
```

Message (torch 1.0 to 2.13, torch.multiprocessing.spawn; `not the program`):

```text
torch.multiprocessing.spawn.ProcessExitedException: process 0 terminated with signal SIGSEGV
```

Message (DeepSpeed; `exit code -6`):

```text
[2023-05-01 10:00:00,000] [ERROR] [launch.py:434:sigkill_handler] ['/usr/bin/python', '-u', 'train.py', '--local_rank=3'] exits with return code = -6
```

Message (torch 1.4 to 1.8, torch.distributed.launch; `SIGSEGV`):

```text
subprocess.CalledProcessError: Command '['/usr/bin/python3', '-u', 'train.py', '--local_rank=0']' died with <Signals.SIGSEGV: 11>.
```

Message (torch 1.8 to 2.13; `rank 0`):

```text
RuntimeError: Connection reset by peer
```

Message (torch 1.9 to 2.13, of a log without its exception; `above`):

```text
W1122 10:00:00.000000 1 torch/distributed/elastic/rendezvous/dynamic_rendezvous.py:1298] The node 'node1_88_0' has failed to send a keep-alive heartbeat to the rendezvous 'job' due to an error of type RendezvousConnectionError.
```

Message (torch 2.0 to 2.13; `above`):

```text
torch.distributed.elastic.rendezvous.api.RendezvousGracefulExitError: The rendezvous 'job' is closed, terminating pending rendezvous.
```

Message (torch 1.9 to 2.13, of a rank that the launcher has ended; `after another rank had failed`):

```text
ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -15) local_rank: 1 (pid: 31339) of binary: /usr/bin/python
```
"""

from keng.explain.advice.processes import told_to_end
from keng.explain.advice.programs import refused_arguments
from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.ranks.calls import Side, spoken
from keng.ranks.reports import Ranks

pitfall = Pitfall(__name__, __doc__, severity="error")

MEANS = {
    "-6 SIGABRT": "C++ gave up, and says why above",
    "-7 SIGBUS": "most often a full /dev/shm",
    "-11 SIGSEGV 3221225477 -1073741819": "memory was read that is not the program's",
    "-4 SIGILL": "the processor lacks an instruction of this build",
    "-15 SIGTERM": "it was told to end, by the launcher after another rank had failed, or from outside",
}
"""The ends of a process -> what they tell."""


@pitfall.compares
def others_wait(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or not parting.broken:
        return
    gone = ", ".join(map(str, parting.broken))
    for side in (side for side in parting.sides if side.collective is not None):
        says = f"{gone}; {spoken(side.ranks)} waited in {side.collective}"
        yield ranks.hit(says, side.where, fix=looked_into(parting.broken[0]))


def looked_into(side: Side) -> Fix:
    asks = "`dmesg | grep -i oom` says whether it was killed for memory; then fewer workers, or smaller batches"
    if "SIGABRT" in side.gone:
        asks = 'Read what C++ wrote above: "Received data size doesn\'t match" is of calls that differ, or of a smaller tensor'
    elif not any(word in side.gone for word in ("memory", "SIGKILL", "without a word")):
        asks = f"Read the error of {spoken(side.ranks)}: `torchrun --log-dir logs --tee 3` keeps what each rank says in a file"
    return Fix(asks, (), "shown")


@pitfall.explains(
    r"gloo/transport/tcp/\w+\.cc:\d+\] (?:Connection closed by peer|(?:Read|Write) error|Connection reset by peer)"
    r"(?: \[(?P<host>[\w.:%-]{1,80})\](?::(?P<port>\d+))?)?",
    odds=0.8,
)
def connection_lost(failure: Failure) -> Hits:
    host, port = failure.groups["host"], failure.groups["port"]
    which = f" at {host}:{port}" if port else f" at {host}" if host else ""
    yield failure.hit(f"the rank{which} ended while this one waited: its own error comes first")


@pitfall.explains(
    r"errors\.ChildFailedError|\.py FAILED\b|has failed to (?:send a keep-alive heartbeat to|shutdown) the rendezvous|is closed, terminating pending",
    r"failed \(exitcode: (?P<code>(?!-9\b)-?\d+)\) local_rank|^\s*exitcode {1,9}: (?!-9\b)-?\d+ \(pid",
    r"process \d+ terminated with (?:exit code (?P<code>-?\d+)|signal (?P<signal>SIG(?!KILL)[A-Z]{2,6}))",
    r"exits with return code = (?P<code>(?!-9\b)-?\d+)",
    r"Command '\[.{0,300}?(?:python|torchrun|deepspeed).{0,3000}?\]' died with <Signals\.(?P<signal>SIG(?!KILL)\w{2,6})",
    odds=0.6,
)
def launcher_tells_only_that(failure: Failure) -> Hits:
    code, signal = failure.groups.get("code", ""), failure.groups.get("signal", "")
    how = f" (exit code {code})" if code else f" (signal {signal})" if signal else ""
    told = (means for ends, means in MEANS.items() if (code or signal) in ends.split())
    how += next((f": {means}" for means in told), "")
    says = f"the launcher tells only that a process ended{how}; its own error stands above, in the log of the rank that failed first"
    refused = refused_arguments(f"{failure.message}\n{failure.around}") if code in ("2", "") else ""
    yield failure.hit(refused or says)


@pitfall.explains(r"NCCL communicator was aborted on rank (?P<rank>\d+)", odds=0.75)
def communicator_aborted(failure: Failure) -> Hits:
    yield failure.hit(
        f"rank {failure.groups['rank']} gave up waiting: another rank ended, or stood still until the time-out"
    )


@pitfall.explains(r"got signal: (?P<signal>\d{1,2})$", odds=0.9)
def launcher_was_told_to_end(failure: Failure) -> Hits:
    yield failure.hit(told_to_end(failure.groups["signal"]))


@pitfall.explains(
    r"(?:^|Error: )(?P<what>Connection (?:reset|closed) by peer|Connection refused|Broken pipe)$",
    r"Failed to recv, (?P<what>got 0 bytes)\. Connection was likely closed",
    odds=0.7,
)
def store_gone(failure: Failure) -> Hits:
    if failure.kind.endswith(("RuntimeError", "DistNetworkError", "DistBackendError")):
        yield failure.hit(
            f"the store of rank 0 is gone ({failure.groups['what'].lower()}): rank 0 has ended first, see its log"
        )
