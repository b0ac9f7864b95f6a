r"""A wrapped model is asked for what the model inside has.

`DataParallel` and `DistributedDataParallel` hold the model in their attribute `module` and pass on no
other name: its layers, its own methods and settings are found inside only. (`torch.compile` and FSDP
pass names on.)

Cure: `model.module.fc`; or keep the bare model under a name of its own and wrap it under another.

Bad:

```python
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


net = nn.DataParallel(Net())
weight = net.fc.weight  # here: the layer is in `net.module`
```

Bad (a class of torchvision, or of somebody else):

```python
from torch import nn

inner = nn.Sequential()
inner.add_module("head", nn.Linear(4, 2))
net = nn.DataParallel(inner)
head = net.head  # seen: the wrapper has no such attribute
```

Good:

```python
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


net = nn.DataParallel(Net())
weight = net.module.fc.weight
```

Fine (what a wrapper has itself; a model that may be bare; a name that is set):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.dim = nn.Linear(4, 2), 4

    def forward(self, x):
        return self.fc(x)

    def train(self, mode=True):
        return super().train(mode)


net = nn.DataParallel(Net())
net.train()
net.forward(torch.ones(1, 4))
net.dim = 4
maybe = Net()
if torch.cuda.device_count() > 1:
    maybe = nn.DataParallel(maybe)
else:
    maybe.fc.reset_parameters()
if hasattr(net, "fc"):
    print(net.fc)
```

Message (torch 0.4 to 2.13, CUDA):

```text
AttributeError: 'DistributedDataParallel' object has no attribute 'config'
```

Message (torch 1.6):

```text
torch.nn.modules.module.ModuleAttributeError: 'DataParallel' object has no attribute 'fc'
```

Message (torch 0.4 to 2.13, on one card; `not wrapped`):

```text
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    torch.save(model.module.state_dict(), "best.pt")
  File "/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1940, in __getattr__
    raise AttributeError(
AttributeError: 'Net' object has no attribute 'module'
```

Message (torch 1.5 to 2.13; `leave it out`):

```text
AttributeError: 'DataParallel' object has no attribute 'no_sync'
```

Message (torch 0.4 to 1.12, load_state_dict of a whole model; `loaded.module.state_dict()`):

```text
AttributeError: 'DataParallel' object has no attribute 'copy'
```

Message (torch 1.5 to 2.13; `shares the batch out`):

```text
AttributeError: 'DataParallel' object has no attribute 'forward_features'
```

Message (torch 1.6 to 2.13, of a Trainer that wraps by itself; `CUDA_VISIBLE_DEVICES=0`):

```text
  File "train.py", line 564, in main
    train_result = trainer.train(model_path=model_path)
  File "/home/u/DiffCSE/diffcse/trainers.py", line 514, in train
    tr_pos_sim += model.sim.pos_avg
AttributeError: 'DataParallel' object has no attribute 'sim'
```

Message (torch 1.6 to 2.13, with the Trainer told beside it; `CUDA_VISIBLE_DEVICES=0`):

```text
in `training_step` of the Trainer, on a machine with 2 GPUs

AttributeError: 'DataParallel' object has no attribute 'device'
```

Message (torch 1.6; `goes through forward`):

```text
torch.nn.modules.module.ModuleAttributeError: 'DistributedDataParallel' object has no attribute 'forward_train'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

OF_THE_WRAPPER = {"no_sync", "join", "register_comm_hook"}
OF_A_DICT = {"copy", "items", "keys", "get", "pop"}
COMPUTES = re.compile(r"forward|^train(?:ing)?_|(?:^|_)(?:loss|step)$|^(?:encode|decode)(?:_|$)")
"""Methods that a training may call in place of the model."""
TRAINERS = re.compile(r"\bTrainer\b|trainers?\.py\b")


@pitfall.finds(fixes=True)
def asked_of_the_wrapper(code: Code) -> Hits:
    for node, inside in code.attributes_of_wrapped():
        edit = code.replace(node.value, inside)
        fix = Fix("Ask the model inside", (edit,), "safe")
        wrapper = code.text_of(node.value)
        wraps = f"`{wrapper}` is the wrapper"
        if code.prepared_by(node.value) is not None:
            wraps = f"`{wrapper}` is a wrapper where several processes run"
        yield code.hit(node, f"{wraps}; `{node.attr}` is in `{inside}`", fix)


@pitfall.explains(r"'(?P<kind>[A-Z_]\w*)' object has no attribute 'module'", odds=0.95)
def not_wrapped(failure: Failure) -> Hits:
    if not failure.frames or failure.passed_through("torch/nn/modules/module.py"):
        kind = failure.groups["kind"]
        yield failure.hit(
            f"the {kind} is not wrapped here, as on one card: getattr(model, 'module', model)"
        )


@pitfall.explains(
    r"'(?P<kind>DataParallel|DistributedDataParallel)' object has no attribute '(?P<name>\w+)'",
    odds=0.97,
)
def wrapper_has_none(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if name in OF_THE_WRAPPER:
        says = f"`{name}` is of torch's DistributedDataParallel, and this {kind} is another"
        yield failure.hit(f"{says}: leave it out, or wrap the model with that one")
        return
    if name in OF_A_DICT:
        says = f"a whole {kind} was saved and takes the place of a state dict"
        yield failure.hit(f"{says}: loaded.module.state_dict(), or loaded.module as the model")
        return
    says = f"`{name}` belongs to the model inside the {kind}: write `.module.{name}`"
    if COMPUTES.search(name) and kind == "DataParallel":
        says += ", which runs on one card: only forward shares the batch out"
    elif COMPUTES.search(name):
        says += "; what trains by it goes through forward, past which no gradients are averaged"
    elif kind == "DataParallel" and TRAINERS.search(
        f"{failure.told} {failure.message} {failure.raised_in}"
    ):
        says += "; where a Trainer has wrapped it by itself, as for several cards, CUDA_VISIBLE_DEVICES=0"
    yield failure.hit(says)
