r"""A run is ended from outside: by its terminal, a scheduler or the clock.

torchrun passes the signal that ends it on to its workers, and ends. SIGHUP (1) comes when the terminal or the connection is closed, under `nohup`
too, as torchrun handles that signal itself again; SIGTERM (15) from Slurm, Kubernetes or whoever stops the job, for its time, its memory or a job
that goes before; SIGINT (2) from the keyboard. Nothing is wrong in the program, and the tracebacks that follow tell only where it was.

Cure: `tmux` or `screen`, or a job of the scheduler, in place of `nohup`; more time in the job's request, and a checkpoint from time to time so that
the next run goes on from it; `sacct -j JOB` or `kubectl describe pod` tells who has ended it.

Bad:

```python
import subprocess

subprocess.Popen("nohup torchrun --nproc-per-node=2 train.py > log &", shell=True)
```

Good:

```python
import subprocess

subprocess.Popen(["tmux", "new-session", "-d", "torchrun --nproc-per-node=2 train.py"])
```

Message (torch 1.9 to 2.13; `terminal`):

```text
WARNING:torch.distributed.elastic.agent.server.api:Received 1 death signal, shutting down workers
```

Message (torch 2.4 to 2.13; `SIGTERM`):

```text
W0823 16:54:02.337000 139733055988160 torch/distributed/elastic/agent/server/api.py:688] Received Signals.SIGTERM death signal, shutting down workers
```

Message (torch 1.9 to 2.13; `keyboard`):

```text
WARNING:torch.distributed.elastic.agent.server.api:Received 2 death signal, shutting down workers
```

Message (Slurm; `1234`):

```text
slurmstepd: error: *** JOB 1234 ON node01 CANCELLED AT 2024-05-01T12:00:00 DUE TO PREEMPTION ***
```
"""

from keng.explain.advice.processes import told_to_end
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a launcher that is stopped")


@pitfall.explains(
    r"Received (?:Signals\.SIG)?(?P<signal>\w{1,5}) death signal, shutting down workers", odds=0.9
)
def launcher_was_stopped(failure: Failure) -> Hits:
    yield failure.hit(told_to_end(failure.groups["signal"]))


@pitfall.explains(
    r"\*\*\* (?:JOB|STEP) (?P<job>\d[\d.]{0,20}) ON \S{1,200} CANCELLED AT \S{8,30} DUE TO (?P<why>TIME LIMIT|PREEMPTION|NODE FAILURE)",
    odds=0.95,
)
def scheduler_ended_it(failure: Failure) -> Hits:
    job, why = failure.groups["job"], failure.groups["why"].lower()
    says = f"Slurm has ended job {job} ({why}): --time, --requeue, and a checkpoint to go on from"
    yield failure.hit(says, sure=False)  # any program's job
