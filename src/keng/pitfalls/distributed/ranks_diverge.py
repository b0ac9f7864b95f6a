r"""The ranks no longer train the same model.

`DistributedDataParallel` makes the parameters equal once, when it wraps the model; from then on it only
averages gradients. What changes on one rank alone stays different, and nothing says so: an edit, a
checkpoint loaded on rank 0 after wrapping, a forward through `.module`, past the wrapper, whose
gradients are not averaged, gradients that are clipped or changed after that, or a learning rate that a
scheduler lowered by each rank's own loss.

Cure: change, clip and load on every rank alike, or load before wrapping; call the wrapper; let schedulers
step by a loss that has been reduced over all ranks.

Bad (2 ranks, past the wrapper):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    loss = model.module(torch.randn(8, 4)).square().mean()  # seen: gradients are not averaged
    loss.backward()
    optimizer.step()
```

Bad (2 ranks, loaded on one of them):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))  # seen: equal here, and not for long
if dist.get_rank() == 0:
    model.module.load_state_dict(nn.Linear(4, 1).state_dict())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Bad (2 ranks, each with a learning rate of its own):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()  # seen: by two learning rates
    scheduler.step(step * (2.0 * dist.get_rank() - 1.0))
```

Bad (2 ranks, gradients clipped on one of them):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(8):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    if dist.get_rank() == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 0.01)
    optimizer.step()  # seen: averaged, and changed since by rank 0
```

Bad (2 ranks, a buffer of each rank's own):

```python
import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x):
        return self.layer(x - self.mean)


dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = Net()
model = nn.parallel.DistributedDataParallel(net, broadcast_buffers=False)  # seen: `mean` differs
net.mean.fill_(torch.randn(100).mean())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Linear(4, 1)
if dist.get_rank() == 0:
    net.load_state_dict(nn.Linear(4, 1).state_dict())
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()
    loss.backward()
    optimizer.step()
```

Fine (2 ranks; statistics that each rank keeps for itself, and validation past the wrapper):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
model = nn.parallel.DistributedDataParallel(net, broadcast_buffers=False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(32, 4)).square().mean().backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    model.module(torch.randn(8, 4))
if dist.get_rank() == 0:
    model.module.load_state_dict(net.state_dict())
```

Fine (2 ranks; gradients of each rank's own until the last of three are averaged together):

```python
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(9):
    with model.no_sync() if step % 3 < 2 else nullcontext():
        (model(torch.randn(8, 4)).square().mean() / 3).backward()
    if step % 3 == 2:
        optimizer.step()
        optimizer.zero_grad()
```

Fine (2 ranks; local SGD, which averages the models now and then, by intent):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks import post_localSGD_hook as local

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
alone = [dist.new_group([rank]) for rank in range(2)][dist.get_rank()]
state = local.PostLocalSGDState(None, alone, start_localSGD_iter=0)
model.register_comm_hook(state, local.post_localSGD_hook)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (2 ranks; the states are divided, and each rank sends what it has stepped to the others):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1)))
optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.SGD, lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (2 ranks; each holds half of the model):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
fully_shard(model, mesh=init_device_mesh("cpu", (2,)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Message (fairseq; `NaN`):

```text
AssertionError: Fatal error: gradients are inconsistent between workers. Try --ddp-backend=legacy_ddp. Or are you mixing up different generation of GPUs in training?
```
"""

from keng.model import Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks, first_of

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.compares
def replicas_differ(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        what, found = ranks.parted_by(replica)
        # Where the model lacks gradients that it counts on, nothing is averaged: that is said instead.
        if not found or any(each.unused for each in ranks.of(replica).values()):
            continue
        if what == "parameters" and list(ranks.settings_differing()):  # which they follow
            continue
        past = next((r.past for r in ranks.of(replica).values() if r.past), None)
        names, others = first_of(each.name for each in found), spoken(found[0].others)
        cause, where = "", replica.where
        if what == "gradients":
            names, where = f"the gradient of {names}", past or replica.stepped
            cause = (
                ": forward goes past the wrapper here" if past else ", as the optimizer takes it"
            )
        says = f"{names} of `{replica.name}` differs on {others}{cause}"
        yield ranks.hit(says, where, since=found[0].since, differ=len(found))


@pitfall.compares
def buffers_differ(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        # Only those that stay as they are: a statistic of each rank's own data moves.
        found = ranks.differing_in(replica, "buffers")
        if found:
            names, others = first_of(each.name for each in found), spoken(found[0].others)
            says = f"the buffer {names} of `{replica.name}` differs on {others}"
            yield ranks.hit(says, replica.where, differ=len(found))


@pitfall.compares
def settings_differ(ranks: Ranks) -> Hits:
    for replica in ranks.replicated[:1]:
        for setting in ranks.settings_differing():
            here, there = (ranks.told[r].settings[setting.name] for r in (0, setting.others[0]))
            says = f"{setting.name} is {here:g} on rank 0 and {there:g} on {spoken(setting.others)}"
            yield ranks.hit(says, replica.stepped, since=setting.since)


OF_FAIRSEQ = "the gradients of the ranks differ after they were averaged, NaN on one of them most often: see its loss, or --ddp-backend=legacy_ddp"
pitfall.answers({"Fatal error: gradients are inconsistent between workers": OF_FAIRSEQ}, odds=0.93)
