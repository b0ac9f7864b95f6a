r"""Every rank writes the same file at once.

Each process of a distributed run executes the whole program. `torch.save` without a test on the rank
opens one file in all of them: they truncate it under each other's hands, and what is left may be a
mixture that does not load, found out at the restart.

Cure: save under `if dist.get_rank() == 0:`, and `dist.barrier()` before others read the file.

Bad (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
torch.save(model.module.state_dict(), "model.pt")  # here: both ranks write it
dist.barrier()
```

Bad (2 ranks, started with the same arguments):

```python
import argparse

import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="model.pt")
args = parser.parse_args()
dist.init_process_group("gloo")
torch.save(torch.ones(3), args.out)  # here: `rank`
dist.barrier()
```

Bad (2 ranks, into a file that was opened before):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
with open("model.pt", "wb") as out:
    torch.save(torch.ones(3), out)  # here: both ranks write it
dist.barrier()
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
if dist.get_rank() == 0:
    torch.save(model.module.state_dict(), "model.pt")
dist.barrier()
```

Fine (2 ranks; a file of each rank's own, and what is no file at all):

```python
import io

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
torch.save(torch.ones(3), f"shard-{dist.get_rank()}.pt")
torch.save(torch.ones(3), io.BytesIO())
dist.barrier()
```
Fine (2 ranks; left to one by the caller, by an early return, by a test in words):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
is_main_process = dist.get_rank() == 0


def save(path):
    torch.save(model.module.state_dict(), path)


def save_once():
    if dist.get_rank() > 0:
        return
    torch.save(model.module.state_dict(), "last.pt")


class Trainer:
    def __init__(self, gpu_id):
        self.gpu_id = gpu_id

    def save(self):
        torch.save(model.module.state_dict(), "trained.pt")

    def train(self):
        if self.gpu_id == 0:
            self.save()


if is_main_process:
    save("model.pt")
    torch.save(model.module.state_dict(), "best.pt")
save_once()
Trainer(dist.get_rank()).train()
dist.barrier()
```
"""

from keng.model import Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def saved_by_all(code: Code) -> Hits:
    for save, _ in code.saves():
        if not (code.runs_on_ranks(save) and code.shared_path(save)):
            continue
        if code.rank_decides(save) is False:
            yield code.hit(
                save, "every rank writes this file at once: no test of the rank stands here"
            )


@pitfall.compares
def several_writers(ranks: Ranks) -> Hits:
    for file, savers in ranks.saved():
        # One on each machine is another mistake.
        if len(savers) > 1 and ranks.firsts_of_machines != set(savers):
            yield ranks.hit(f"{spoken(savers)} write `{file.name}`", file.where)
