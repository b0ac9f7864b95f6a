r"""The DataLoader waits for a worker that gives nothing.

The main process waits for the next batch without a limit. Most often a lock was held when the worker was forked,
by a thread that the worker does not have (OpenCV's and BLAS's threads, logging, a download): there it stays locked.
Else the storage is slow, or a sample takes for ever. Interrupted, the main process shows that it waits, and not for
what.

Cure: `timeout=60` turns the wait into an error; `py-spy dump --pid` on a worker shows its line. Against locks:
`cv2.setNumThreads(0)`, no threads before the first batch, or `multiprocessing_context="forkserver"`.

Bad:

```python
import time

from torch.utils.data import DataLoader, Dataset


class Remote(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        time.sleep(1)
        return index


for batch in DataLoader(Remote(), num_workers=1, timeout=0.2):  # seen: no batch in time
    print(batch)
```

Bad (2 ranks, one of them waits):

```python
import time

import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset


class Remote(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        time.sleep(8 * dist.get_rank())  # seen: rank 0 waits in the barrier meanwhile
        return index


dist.init_process_group("gloo")
for batch in DataLoader(Remote()):
    dist.barrier()
```

Good:

```python
import torch
from torch.utils.data import DataLoader

for batch in DataLoader(torch.zeros(4, 2), num_workers=1, timeout=60):
    print(batch.shape)
```

Message (torch 2.13.0, Python 3.11, interrupted):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 7, in <module>
    for x in DataLoader(dataset, num_workers=1):
  File "/opt/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1291, in _try_get_data
    data = self._data_queue.get(timeout=timeout)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/opt/lib/python3.11/multiprocessing/connection.py", line 947, in wait
    ready = selector.select(timeout)
            ^^^^^^^^^^^^^^^^^^^^^^^^
  File "/opt/lib/python3.11/selectors.py", line 415, in select
    fd_event_list = self._selector.poll(timeout)
                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
KeyboardInterrupt
```

Message (Python 3.5, the last line of a log):

```text
fd_event_list = self._poll.poll(timeout)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.run.moments import StalledLoader

pitfall = Pitfall(__name__, __doc__, severity="warning")

CAUSES = "a lock held when it was forked (cv2.setNumThreads(0)), slow storage, or an endless sample"

LONG = 10
"""Seconds in which a batch comes, where nothing is wrong."""


@pitfall.explains(r"DataLoader timed out after (?P<seconds>[\d.]+) seconds", odds=0.95)
def no_batch_in_time(failure: Failure) -> Hits:
    seconds = failure.groups["seconds"]
    yield failure.hit(f"no worker gave a batch for {seconds} seconds: {CAUSES}")


@pitfall.explains(r"fd_event_list = self\._(?:poll|selector)\.poll\(timeout\)", odds=0.9)
def interrupted_while_waiting(failure: Failure) -> Hits:
    # Whoever stops a run that goes well meets it there too, if loading is the slow part.
    says = "it was stopped while it waited for a batch; if none came"
    yield failure.hit(f"{says}: {CAUSES}", sure=False)


@pitfall.watches("loader.stalled")
def no_batch_comes(loader: StalledLoader) -> Hits:
    if loader.seconds < LONG and not loader.gives_up:
        return
    workers = loader.workers
    at = ", ".join(f"worker {w.pid} at {w.doing}" for w in workers if w.doing)
    idle = sum(worker.idle for worker in workers)
    does = f"{idle} of {len(workers)} workers do nothing" if idle else "the workers compute"
    says = f"no batch for {loader.seconds:.1f} seconds; {does}"
    yield loader.hit(f"{says}: {at}" if at else says, sure=idle > 0, idle=idle)


@pitfall.compares
def others_wait_for_its_batch(ranks: Ranks) -> Hits:
    standings = ranks.stall.standings if ranks.stall else ()
    waiting = [standing.rank for standing in standings if standing.is_waiting]
    for standing in standings if waiting else ():
        if standing.loads:
            says = f"rank {standing.rank} waits for a batch, and {spoken(waiting)} for rank"
            yield ranks.hit(f"{says} {standing.rank}", standing.where)
