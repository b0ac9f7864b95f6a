r"""Parameters of a DistributedDataParallel model took no part in the loss.

`DistributedDataParallel` averages gradients as they come, in fixed buckets, and counts on one from
every parameter. Where a layer was not used, or what it gave did not enter the loss, its bucket never
fills, and the next forward finds the last reduction unfinished. Another process may have used it: then
the processes have taken different branches.

Cure: let every output of forward enter the loss, or take the unused layers out
(`requires_grad_(False)` before wrapping); where their use changes from step to step,
`find_unused_parameters=True`, which costs a walk through the graph in each step.

Bad:

```python
import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.spare = nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x):
        return self.used(x)


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.parallel.DistributedDataParallel(Net())
for step in range(2):
    output = net(torch.ones(1, 4))  # seen: a layer had no gradient in the step before
    output.sum().backward()
```

Bad (2 ranks, each uses another layer):

```python
import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x, kind):
        return self.second(x) if kind else self.first(x)


dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.parallel.DistributedDataParallel(Net())  # seen: counts on both layers
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
optimizer.zero_grad()
net(torch.randn(2, 4), dist.get_rank()).sum().backward()
optimizer.step()
```

Good:

```python
import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.spare = nn.Linear(4, 2), nn.Linear(4, 2)
        self.spare.requires_grad_(False)

    def forward(self, x):
        return self.used(x)


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.parallel.DistributedDataParallel(Net())
for step in range(2):
    output = net(torch.ones(1, 4))
    output.sum().backward()
```

Fine (2 ranks, told that layers may be left out):

```python
import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x, kind):
        return self.second(x) if kind else self.first(x)


dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.parallel.DistributedDataParallel(Net(), find_unused_parameters=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(2):
    optimizer.zero_grad()
    net(torch.randn(2, 4), dist.get_rank()).sum().backward()
    optimizer.step()
```

Message (torch 1.9 to 2.13, TORCH_DISTRIBUTED_DEBUG=INFO):

```text
RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your module has parameters that were not used in producing loss. You can enable unused parameter detection by passing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by
making sure all `forward` function outputs participate in calculating loss.
Parameters which did not receive grad for rank 1: spare.bias, spare.weight
Parameter indices which did not receive grad for rank 1: 2 3
```

Message (torch 1.9 to 2.13, with find_unused_parameters=True; `0 * output.sum()`):

```text
RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your module has parameters that were not used in producing loss. Since `find_unused_parameters=True` is enabled, this likely  means that not all `forward` outputs participate in computing loss. You can fix this by making sure all `forward` function outputs participate in calculating loss.
Parameter indices which did not receive grad for rank 0: 2 3
```

Message (torch 1.3 to 1.8, with the call beside it; `0 * output.sum()`):

```text
model = DDP(model, device_ids=[rank], find_unused_parameters=True)

RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your module has parameters that were not used in producing loss. You can enable unused parameter detection by (1) passing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`; (2) making sure all `forward` function outputs participate in calculating loss.
```

Message (torch 1.3 to 1.8; `TORCH_DISTRIBUTED_DEBUG=DETAIL`):

```text
RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your module has parameters that were not used in producing loss. You can enable unused parameter detection by (1) passing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`; (2) making sure all `forward` function outputs participate in calculating loss.
```

Message (torch 1.12 to 2.13):

```text
RuntimeError: Your training graph has changed in this iteration, e.g., one parameter is used in first iteration, but then got unused in the second iteration. this is not compatible with static_graph set to True.
```

Message (Lightning 2; `ddp_find_unused_parameters_true`):

```text
RuntimeError: It looks like your LightningModule has parameters that were not used in producing the loss returned by training_step. If this is intentional, you must enable the detection of unused parameters in DDP, either by setting the string value `strategy='ddp_find_unused_parameters_true'` or by setting the flag in the strategy with `strategy=DDPStrategy(find_unused_parameters=True)`.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks, first_of

pitfall = Pitfall(__name__, __doc__, severity="error")

NAMED = re.compile(r"Parameters which did not receive grad for rank (\d+): ([\w.]+(?:, [\w.]+)*)")
NUMBERED = re.compile(
    r"Parameter indices which did not receive grad for rank (\d+): (\d+(?: \d+)*)"
)


IS_ON = re.compile(
    r"find_unused_parameters=True` is enabled|(?:DataParallel|DDP)\([^\n]{0,200}find_unused_parameters ?= ?True|"
    r"\b(?:already|even with|despite|have set)\b[^\n]{0,40}find_unused_parameters ?= ?True(?!`)"
)
"""Where it is told that unused parameters are looked for."""
CURE = "use what it gives, freeze it before wrapping, or find_unused_parameters=True"
LEFT_OUT = "find_unused_parameters is on, so an output of forward is left out of the loss: return what the loss takes alone, or add 0 * output.sum() to it"


@pitfall.explains(r"Expected to have finished reduction in the prior iteration", odds=0.95)
def no_gradient_came(failure: Failure) -> Hits:
    named, numbered = NAMED.search(failure.message), NUMBERED.search(failure.message)
    looked_for = IS_ON.search(f"{failure.told}\n{failure.around}\n{failure.message}") is not None
    if named is not None:
        yield failure.hit(idle(named[1], named[2].split(", "), LEFT_OUT if looked_for else CURE))
    elif looked_for:
        yield failure.hit(f"parameters took no part in the loss: {LEFT_OUT}")
    elif numbered is not None:
        counted = dict(enumerate(failure.live.replicated))
        names = [counted.get(int(index), "") for index in numbered[2].split()]
        if all(names):
            yield failure.hit(idle(numbered[1], names, CURE))
            return
        says = f"on rank {numbered[1]} the parameters {numbered[2]} took no part in the loss"
        listed = "[n for n, p in model.named_parameters() if p.requires_grad] has their names"
        yield failure.hit(f"{says}: {listed}; find_unused_parameters=True where that is meant")
    else:
        yield failure.hit(
            "some parameters took no part in the loss on one of the ranks, an output left out of it or a layer that forward skips: "
            "find_unused_parameters=True; TORCH_DISTRIBUTED_DEBUG=DETAIL names them"
        )


def idle(rank: str, names: list[str], cure: str) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"on rank {rank} `{names[0]}`{more} took no part in the loss: {cure}"


@pitfall.compares
def counted_on_in_vain(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        lacking = {rank: each.unused for rank, each in ranks.of(replica).items() if each.unused}
        told = [
            f"{spoken(rank for rank in lacking if lacking[rank] == names)} for {first_of(names)}"
            for names in dict.fromkeys(lacking.values())
        ]
        if told:
            yield ranks.hit(f"no gradient on {', on '.join(told)}", replica.where)


@pitfall.explains(r"Your training graph has changed in this iteration", odds=0.95)
def graph_not_static(failure: Failure) -> Hits:
    yield failure.hit(
        "another set of parameters takes part than in the first step: static_graph=False, with find_unused_parameters=True"
    )


@pitfall.explains(
    r"LightningModule has parameters that were not used in producing the loss", odds=0.95
)
def told_by_lightning(failure: Failure) -> Hits:
    yield failure.hit(
        "some parameters took no part in the loss of training_step: strategy='ddp_find_unused_parameters_true', or leave out "
        "the layers that nothing uses"
    )
