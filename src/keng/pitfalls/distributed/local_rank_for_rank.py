r"""The local rank is taken for the rank, so that one process on every machine does what one alone should.

`LOCAL_RANK` counts within a machine, to choose the card. On one machine it is the rank as well; on two,
two processes have local rank 0, and under `if local_rank == 0` both save to the same file and log every
line twice.

Cure: ask `torch.distributed.get_rank() == 0`; the local rank only chooses the device.

Bad (4 ranks on 2 machines):

```python
import os

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
local_rank = int(os.environ["LOCAL_RANK"])
model = nn.Linear(4, 1)
if local_rank == 0:
    torch.save(model.state_dict(), "model.pt")  # here: rank 0 and rank 2 save the same file
dist.barrier()
```

Good (4 ranks on 2 machines):

```python
import os

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
local_rank = int(os.environ["LOCAL_RANK"])
device = torch.device("cuda", local_rank) if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 1, device=device)
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")
dist.barrier()
```

Fine (4 ranks on 2 machines; a file for each machine):

```python
import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
if int(os.environ["LOCAL_RANK"]) == 0:
    torch.save(torch.ones(3), f"cache-{dist.get_rank()}.pt")
dist.barrier()
```
Fine (4 ranks on 2 machines; both are asked; only so called):

```python
import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, local_rank = dist.get_rank(), int(os.environ["LOCAL_RANK"])
if local_rank == 0 and rank == 0:
    torch.save(torch.ones(3), "model.pt")
dist.barrier()
local_rank = dist.get_rank()
if local_rank == 0:
    torch.save(torch.ones(3), "other.pt")
dist.barrier()
```
"""

from keng.model import Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def asks_for_the_local_rank(code: Code) -> Hits:
    for save in code.saves_by_local_rank() if code.is_distributed else ():
        if code.shared_path(save):
            yield code.hit(save, "the first process of every machine saves this, not rank 0 alone")


@pitfall.compares
def first_of_each_machine(ranks: Ranks) -> Hits:
    for file, savers in ranks.saved():
        if ranks.firsts_of_machines == set(savers) and len(savers) > 1:
            says = f"{spoken(savers)} save `{file.name}`, one on each machine"
            yield ranks.hit(says, file.where)
