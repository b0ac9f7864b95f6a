r"""The ranks call different collectives, or not the same number of them.

A collective is matched by its number alone: the fifth call of one rank is the fifth of the others.
Where ranks part, because a branch depends on data, or one has a batch more than another, the calls
that meet do not belong together. Of another kind they wait for each other until the time-out; with
other shapes gloo returns wrong sums without an error.

Cure: let every rank make the same calls in the same order: multiply by 0 or 1 in place of a branch on
data; for uneven batches, `with Join([model]):`, or a sampler that gives every rank as many.

Bad (2 ranks, one has a batch more than the other):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
batches = 3 + dist.get_rank()
for batch in range(batches):
    gradient = torch.ones(2)
    dist.all_reduce(gradient)  # seen: rank 1 comes here once more than rank 0
```

Bad (2 ranks, a branch on the data):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
value = torch.tensor([float(dist.get_rank())])
if value.item() > 0:
    dist.all_reduce(value)
else:
    dist.barrier()  # seen: rank 1 is in all_reduce
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
for batch in range(3):
    gradient = torch.ones(2)
    dist.all_reduce(gradient)
value = torch.tensor([float(dist.get_rank())])
dist.all_reduce(value * (value > 0))
```

Fine (2 ranks; what they gather is of different sizes, and what one sends the other receives):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
names = [None, None]
dist.all_gather_object(names, "x" * (rank + 1))
if rank == 0:
    dist.send(torch.ones(3), dst=1)
else:
    dist.recv(torch.zeros(3), src=0)
dist.gather_object(rank, names if rank == 0 else None)
```
"""

from keng.model import Hits, Pitfall
from keng.ranks import Ranks

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.compares
def apart(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or parting.broken or parting.alone or not parting.sure:
        return
    sides = ", ".join(str(side) for side in parting.sides)
    where = next((side.where for side in parting.sides if side.collective), None)
    yield ranks.hit(f"call {parting.number} is not one call: {sides}", where, call=parting.number)
