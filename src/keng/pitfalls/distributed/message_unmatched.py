r"""A message has no counterpart on the other rank.

`send` and `recv` meet one by one: the fifth `recv` of rank 1 from rank 0 takes what the fifth `send` of
rank 0 to rank 1 gives, of the same group and tag. Where one side makes one more, in a pipeline with
another number of microbatches, with another tag, or where both begin with the same half, it waits until
the time-out. With gloo a `send` waits as well until it is asked for.

Cure: let both ranks count the same messages, with the same tags; let neighbours begin with opposite
halves, or hand over both at once: `dist.batch_isend_irecv`.

Bad (2 ranks, one receives once more than the other sends):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
activation = torch.ones(3)
for microbatch in range(2 + rank):
    if rank == 0:
        dist.send(activation, dst=1)
    else:
        dist.recv(activation, src=0)  # seen: rank 0 has sent two
dist.barrier()
```

Bad (2 ranks, both receive first):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
other = 1 - dist.get_rank()
mine, theirs = torch.ones(3), torch.empty(3)
dist.recv(theirs, src=other)  # seen: neither has sent anything
dist.send(mine, dst=other)
```

Bad (2 ranks, by another tag):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
activation = torch.ones(3)
if dist.get_rank() == 0:
    dist.send(activation, dst=1, tag=1)  # seen: rank 1 asks for tag 0
else:
    dist.recv(activation, src=0)  # seen: rank 0 sends tag 1
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, other = dist.get_rank(), 1 - dist.get_rank()
activation = torch.ones(3)
for microbatch in range(2):
    if rank == 0:
        dist.send(activation, dst=1)
    else:
        dist.recv(activation, src=0)
mine, theirs = torch.ones(3), torch.empty(3)
both = [dist.P2POp(dist.irecv, theirs, other), dist.P2POp(dist.isend, mine, other)]
for work in dist.batch_isend_irecv(both):
    work.wait()
dist.barrier()
```

Fine (2 ranks; from whoever sends first, within a group, and without waiting):

```python
import torch
import torch.distributed as dist
from torch.distributed import irecv, isend

dist.init_process_group("gloo")
rank = dist.get_rank()
pair = dist.new_group([0, 1])
value = torch.ones(3)
if rank == 0:
    dist.send(value, dst=1)
    works = [isend(value, dst=1, group=pair, tag=n) for n in range(3)]
else:
    dist.recv(value)
    works = [irecv(value, src=0, group=pair, tag=n) for n in range(3)]
for work in works:
    work.wait()
dist.barrier()
```
"""

from keng.model import Hits, Pitfall, Span
from keng.ranks.calls import ANY, Message, Standing, place
from keng.ranks.reports import Ranks

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.compares
def never_met(ranks: Ranks) -> Hits:
    standings = {s.rank: s for s in ranks.stall.standings} if ranks.stall else {}
    for standing in standings.values():
        for message in standing.mail.waits[:1]:
            other = standings.get(message.way.peer)
            if other is None or not stays(other, standing.rank):
                continue
            met = other.mail.met(message, standing.rank)
            if met < message.number and not any(w.peer == ANY for w in other.mail.received):
                does = has_done(message, standing.rank, other, met)
                says = f"rank {standing.rank} waits in {message}, number {message.number} of these; {does}"
                yield ranks.hit(says, message.collective.where)


def stays(other: Standing, rank: int) -> bool:
    """Whether it will make no more messages: it has ended, or waits, but not for a third rank's."""
    if other.gone:
        return not other.broke and not other.lost
    return bool(other.waits) or any(each.way.peer == rank for each in other.mail.waits[:1])


def has_done(message: Message, rank: int, other: Standing, met: int) -> str:
    did = f"rank {other.rank} has {'asked for' if message.sends else 'sent'} {met}"
    if tags := other.mail.tags(message, rank):
        did += f" (and some of tag {tags[0]})"
    if other.gone:
        return f"{did} and ended"
    if other.waits:
        where = other.waits[0].collective.where
        return f"{did} and waits in {other.waits[0].collective}{at(where)}"
    return f"{did} and waits in {other.mail.waits[0]}{at(other.mail.waits[0].collective.where)}"


def at(where: Span | None) -> str:
    return f" at {place(where)}" if where else ""
