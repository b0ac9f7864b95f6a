r"""Several ranks compute on one card, or fill the memory of another rank's.

A process that names no card gets `cuda:0`, whichever rank it is: `.cuda()`, `device="cuda"`, a checkpoint loaded to
where it was saved, `torch.cuda.empty_cache()`. With NCCL a model there ends in "Duplicate GPU detected"; with gloo,
or without DDP, all ranks take turns on one card while the others idle. Where the model went to the right card and
only something else did not, the first card carries a context and tensors for every rank, and it is the one that runs
out of memory.

Cure: `torch.cuda.set_device(local_rank)` before anything touches CUDA, and `map_location="cpu"` where files are read.

Bad (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1).to(device))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
for step in range(3):
    optimizer.zero_grad()
    x = torch.randn(8, 4, device=device) + dist.get_rank()
    model(x).square().mean().backward()  # seen: both ranks on cuda:0, and another card is free
    optimizer.step()
```

Good (2 ranks):

```python
import os

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
device = "cpu"
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    device = "cuda"
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1).to(device))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
for step in range(3):
    optimizer.zero_grad()
    x = torch.randn(8, 4, device=device) + dist.get_rank()
    model(x).square().mean().backward()
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="several cards")

MIB = 1 << 20


@pitfall.compares
def trained_on_one_card(ranks: Ranks) -> Hits:
    for told in ranks.on_one_card():
        first, who = told[0], spoken(each.rank for each in told)
        says = f"{who} train on one card, of {first.cards} that are there"
        devices = ", ".join(dict.fromkeys(each.card.device for each in told if each.card))
        yield ranks.hit(says, first.where, device=devices)


@pitfall.compares
def memory_of_anothers_card(ranks: Ranks) -> Hits:
    for told, (held, owner) in ranks.on_anothers_card():
        own = told.card.device if told.card else ""
        says = f"rank {told.rank} trains on {own} and holds {held.size // MIB} MiB of {held.device}"
        yield ranks.hit(f"{says}, which is rank {owner}'s", told.where)
