r"""What rises when all goes well is watched as if it should fall.

`ReduceLROnPlateau` lowers the learning rate when its measure no longer improves, and `mode` says which way that is: "min",
the default, wants it to fall. Given an accuracy, every round that is better counts as a bad one, and the learning rate is
cut while the model still learns.

Cure: `mode="max"` for what should rise.

Bad:

```python
import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
for epoch in range(8):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    val_acc = 0.5 + 0.05 * epoch
    scheduler.step(val_acc)  # here: it rises, and the default wants it to fall
```

Proof:

```python
assert optimizer.param_groups[0]["lr"] < 0.1
```

Bad (the other way round):

```python
import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=1)
for epoch in range(8):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    metrics = {"val_loss": 1 / (1 + epoch)}
    scheduler.step(metrics["val_loss"])  # here: a loss that should rise
```

Proof:

```python
assert optimizer.param_groups[0]["lr"] < 0.1
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=1)
for epoch in range(8):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    val_acc = 0.5 + 0.05 * epoch
    scheduler.step(val_acc)
```

Fine (a loss; an accuracy turned round; a name that says nothing; a mode that is not told):

```python
import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
falls = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
chosen = "max"
rises = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, chosen)
for epoch in range(4):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    val_loss, val_acc, value, loss_of_accuracy = 1.0, 0.5, 0.3, 0.2
    falls.step(val_loss)
    falls.step(-val_acc)
    falls.step(1 - val_acc)
    falls.step(value)
    falls.step(loss_of_accuracy)
    rises.step(val_acc)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

PLATEAU = "torch.optim.lr_scheduler.ReduceLROnPlateau"
WAY = {"max": "rises", "min": "falls"}


@pitfall.finds
def stepped_the_wrong_way(code: Code) -> Hits:
    for call in code.method_calls("step"):
        made = code.value_of(code.receiver(call))
        if made.dotted != PLATEAU or made.call is None or len(call.args) != 1:
            continue
        measure, mode = call.args[0], code.argument(made.call, "mode", 1)
        if wanted := code.turned_round(measure, mode):
            says = f"`{code.text_of(measure)}` {WAY[wanted]} when all goes well"
            yield code.hit(
                measure, f'{says}, and its scheduler wants the opposite: mode="{wanted}"'
            )
