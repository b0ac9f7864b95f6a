r"""Under autocast all is computed in float32.

Autocast is a list of torch's functions: what they are given is cast, nothing else is. A model whose matrix products are
done by something else (a kernel of one's own, an extension, another library) computes under it as without it, at
the speed and in the memory of float32, and looks as if mixed precision were of no use to it.

Cure: let such functions cast what they are given: `torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.bfloat16)`
on their `forward`, `torch.library.register_autocast` for a custom operator.

Bad:

```python
import torch
from torch import nn


class Kernel(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return torch.from_numpy(x.detach().numpy() @ weight.detach().numpy().T)

    @staticmethod
    def backward(ctx, up):
        x, weight = ctx.saved_tensors
        return up @ weight, up.t() @ x


class Fast(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4))

    def forward(self, x):
        return Kernel.apply(x, self.weight)


torch.manual_seed(0)
model = Fast()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):  # seen: nothing in it is cast
        out = model(torch.randn(8, 4))
        loss = nn.functional.cross_entropy(out, torch.randint(3, (8,)))
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert out.dtype is torch.float32
```

Good:

```python
import torch
from torch import nn


class Fast(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4))

    def forward(self, x):
        return nn.functional.linear(x, self.weight)


torch.manual_seed(0)
model = Fast()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = model(torch.randn(8, 4))
        loss = nn.functional.cross_entropy(out, torch.randint(3, (8,)))
    loss.backward()
    optimizer.step()
assert out.dtype is torch.bfloat16
```

Fine (switched off on purpose; a part of the model only; a head on frozen features; no matrix products; weights that are small already; compiled):

```python
import torch
from torch import nn


class Exact(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        with torch.autocast("cpu", enabled=False):
            return self.fc(x.float())


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 8).requires_grad_(False), nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.body(x))


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows, self.scale = nn.Embedding(8, 3), nn.Parameter(torch.ones(3))

    def forward(self, x):
        return self.rows(x.abs().long().sum(1) % 8) * self.scale


torch.manual_seed(0)
mixed = nn.Sequential(nn.Linear(4, 4), Exact())
half = nn.Linear(4, 3).bfloat16()
compiled = torch.compile(nn.Linear(4, 3), backend="eager")
for model in (Exact(), mixed, Probe(), Table(), half, compiled):
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for step in range(3):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = model(torch.randn(8, 4))
        out.float().square().mean().backward()
        optimizer.step()
```

Message (torch 1.10 to 2.13; `float32`):

```text
UserWarning: In CPU autocast, but the target dtype is not supported. Disabling autocast.
CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import IdleAutocast

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.watches("autocast.idle")
def nothing_is_cast(seen: IdleAutocast) -> Hits:
    says = f"nothing in `{seen.module}` is computed in {seen.dtype}: autocast does not reach"
    yield seen.hit(f"{says} its {seen.products} matrix products", products=seen.products)


@pitfall.explains(
    r"In (?P<device>\w+) autocast, but the target dtype is not supported\. Disabling",
    odds=0.93,
)
def turned_off(failure: Failure) -> Hits:
    yield failure.hit(
        f"autocast on {failure.groups['device']} has no such dtype and is off, so that all is computed in float32: torch.bfloat16"
    )
