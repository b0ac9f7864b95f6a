r"""Gradients that DistributedDataParallel has averaged are divided by the number of ranks once more.

DDP sums the gradients of all ranks during backward and divides them by the world size: when `backward` returns, `p.grad`
is the mean. A division that was written for a sum, as after a reduction by hand, makes each step as many times shorter
as there are ranks; with more cards the model learns less in as many steps.

Cure: leave the division out. It belongs to a reduction by hand, or to a hook of `register_comm_hook` that sums.

Bad (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(8, 4)
for step in range(3):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    for parameter in model.parameters():
        parameter.grad /= dist.get_world_size()  # here: DDP has done so
    optimizer.step()
```

Proof:

```python
alone = nn.Linear(4, 1)
alone.load_state_dict(model.module.state_dict())
model.zero_grad()
for net in (model, alone):
    net(x).square().mean().backward()
assert torch.allclose(model.module.weight.grad, alone.weight.grad)
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(8, 4)
for step in range(3):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
```

Fine (2 ranks; gradients reduced by hand beside others):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model, plain = nn.parallel.DistributedDataParallel(nn.Linear(4, 1)), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*model.parameters(), *plain.parameters()], lr=0.1)
x = torch.randn(8, 4)
for step in range(3):
    optimizer.zero_grad()
    (model(x) + plain(x)).square().mean().backward()
    for parameter in plain.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
```

Fine (2 ranks; the mean over the batches that were added up):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model, batches = nn.parallel.DistributedDataParallel(nn.Linear(4, 1)), 2
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(8, 4)
for step in range(3):
    optimizer.zero_grad()
    for batch in range(batches):
        model(x).square().mean().backward()
    for parameter in model.parameters():
        parameter.grad /= batches
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def divided_after_the_mean(code: Code) -> Hits:
    for node, model in code.gradients_divided_again():
        says = f"the gradients of `{model}` are the mean of all ranks already"
        yield code.hit(node, f"{says}: this divides them by the number of ranks once more")
