r"""A name of PyTorch is written otherwise than it is, or looked for in another module.

Layers are classes with capitals in `torch.nn`, `nn.ReLU`, and functions without in `torch.nn.functional`, `F.relu`; optimizers are `optim.SGD`, `Dataset` and
`DataLoader` are in `torch.utils.data`. Python tells only that the module has no such attribute. Nor has a SummaryWriter the methods of other
loggers: its own begin with `add_`.

Cure: the name as the documentation writes it, from the module that has it.

Bad (a layer without its capitals):

```python
from torch import nn

act = nn.Relu()  # seen: `torch.nn.ReLU`
```

Bad (a function where the layers are):

```python
import torch
from torch import nn

y = nn.softmax(torch.ones(2), dim=0)  # seen: `torch.nn.Softmax`
```

Bad (an optimizer):

```python
import torch
from torch import nn

optimizer = torch.optim.sgd(nn.Linear(2, 2).parameters(), lr=0.1)  # seen: `torch.optim.SGD`
```

Bad (a module for a data set's class):

```python
from torch.utils import data


class Pairs(data.dataset):  # seen: `data.Dataset`
    pass
```

Bad (a slip):

```python
import torch

card = torch.cuda.is_avaliable()  # seen: `torch.cuda.is_available`
```

Bad (in another module):

```python
from torch import DataLoader  # seen: `torch.utils.data.DataLoader`
```

Bad (the module for the class):

```python
from torch import nn


class Net(nn.module):  # seen: `torch.nn.Module`
    pass
```

Message (torch.utils.tensorboard and tensorboardX; `add_scalar`):

```text
  File "main.py", line 72, in train
    writer.scalar_summary(tag, value, step)
AttributeError: 'SummaryWriter' object has no attribute 'scalar_summary'
```

Message (torch.utils.tensorboard, of TensorFlow's writer; `add_scalar`):

```text
AttributeError: 'SummaryWriter' object has no attribute 'add_summary'
```

Message (torch.utils.tensorboard, a slip; `add_scalar`):

```text
AttributeError: 'SummaryWriter' object has no attribute 'add_scaler'
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    pass


y = torch.softmax(nn.ReLU()(torch.ones(2)), dim=0)
card = torch.cuda.is_available()
```
"""

import re
from difflib import get_close_matches

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.removed_symbols import OLD_NAMES
from keng.tables.torch_names import (
    DATASETS,
    MODULES,
    OPTIMIZERS,
    SCHEDULERS,
    STARS,
    TENSOR_FUNCTIONS,
)
from keng.tables.writers import written_by

pitfall = Pitfall(__name__, __doc__, severity="error")

OTHERS = (
    "torch.Tensor torch.device torch.no_grad torch.enable_grad torch.inference_mode torch.manual_seed torch.save torch.load "
    "torch.cuda.is_available torch.cuda.device_count torch.cuda.manual_seed torch.cuda.empty_cache torch.cuda.set_device "
    "torch.nn.Module torch.nn.Parameter torch.nn.functional torch.utils.data.random_split"
)


def _written() -> dict[str, list[str]]:
    """The full names that PyTorch has, by their last part without capitals and underscores."""
    homes = {
        "torch.nn": MODULES,
        "torch": TENSOR_FUNCTIONS,
        "torch.optim": {name.rpartition(".")[2] for name in OPTIMIZERS},
        "torch.optim.lr_scheduler": {name.rpartition(".")[2] for name in SCHEDULERS},
        "torch.utils.data": {name.rpartition(".")[2] for name in DATASETS} | {"DataLoader"},
    }
    full = [f"{home}.{name}" for home, names in homes.items() for name in sorted(names)]
    table: dict[str, list[str]] = {}
    for each in (*full, *OTHERS.split()):
        table.setdefault(_plain(each.rpartition(".")[2]), []).append(each)
    return table


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _of_same_words(name: str, known: dict[str, list[str]]) -> list[str]:
    """The words in another order: `tensor_as`."""
    words = sorted(name.split("_"))
    last = {full.rpartition(".")[2]: plain for plain, names in known.items() for full in names}
    return [plain for own, plain in last.items() if sorted(own.split("_")) == words]


@pitfall.explains(
    r"(?:^|: )module '(?P<home>torch(?:\.(?!ops)\w+){0,3})' has no attribute '(?P<name>\w+)'",
    r"cannot import name '(?P<name>\w+)' from '(?P<home>torch(?:\.\w+){0,3})'",
    odds=0.92,
)
def not_so_written(failure: Failure) -> Hits:
    home, name = failure.groups["home"], failure.groups["name"]
    asked, known, plain = f"{home}.{name}", _written(), _plain(name)
    function = home.endswith("functional") and name.islower()
    parts = home.startswith(("torch.nn.modules.", "torch.utils.data."))
    if asked in OLD_NAMES or name in STARS.get(home, ()) or function or parts:
        return  # another version has it
    meant = known.get(plain, [])
    if not meant:
        near = _of_same_words(name, known) or get_close_matches(plain, known, 3, 0.85)
        meant = [full for each in near for full in known[each] if full.rpartition(".")[0] == home]
    if meant and asked not in meant:
        best = min(meant, key=lambda full: (full.rpartition(".")[0] != home, full == full.lower()))
        yield failure.hit(f"there is no `{asked}`, but `{best}`")


@pitfall.explains(
    r"\bmodule(?:\.__init__)?\(\) takes at most 2 (?:positional )?arguments \(3 given\)", odds=0.95
)
def derived_from_a_module(failure: Failure) -> Hits:
    base = re.match(
        r"class \w+\((?:[\w.]+, ?)*(?P<home>[\w.]+\.)(?P<name>[a-z]\w*)\b", failure.line
    )
    meant = _written().get(_plain(base["name"]), []) if base else []
    if base and meant:
        name = f"{base['home']}{meant[0].rpartition('.')[2]}"
        fix = failure.turned(f"{base['home']}{base['name']}", name)
        yield failure.hit(
            f"`{base['home']}{base['name']}` is a module, and no class: `{name}`", fix
        )


@pitfall.explains(r"'SummaryWriter' object has no attribute '(?P<name>[a-z]\w{1,40})'", odds=0.9)
def of_a_writer(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if best := written_by(name):
        yield failure.hit(f"there is no `{name}`, but `{best}`")
