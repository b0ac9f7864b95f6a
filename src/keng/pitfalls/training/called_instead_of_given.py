r"""PyTorch is to call a function, and is given something else.

A scheduler by a function, the collating of a batch, the start of a worker, a hook and `Module.apply` take a function and
call it later. `init(model)` with parentheses is what the function has returned, mostly `None`; a number is no function
of the epoch. Most are not looked at until they are called, far from the line where they were given.

Cure: the function's name without parentheses, or a lambda around what it needs, `lambda epoch: 0.95 ** epoch`.

Bad (a number):

```python
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import LambdaLR

scheduler = LambdaLR(SGD(nn.Linear(2, 2).parameters(), lr=0.1), 0.95)  # seen: `lr_lambda`
```

Bad (called at once):

```python
from torch import nn


def begin(layer):
    if isinstance(layer, nn.Linear):
        nn.init.zeros_(layer.bias)


model = nn.Sequential(nn.Linear(2, 2))
model.apply(begin(model))  # seen: `fn`
```

Bad (a hook that was called):

```python
import torch
from torch import nn

layer = nn.Linear(2, 2)
layer.register_forward_hook(print())
layer(torch.ones(1, 2))  # seen: `hook`
```

Good:

```python
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import LambdaLR


def begin(layer):
    if isinstance(layer, nn.Linear):
        nn.init.zeros_(layer.bias)


model = nn.Sequential(nn.Linear(2, 2))
model.apply(begin)
scheduler = LambdaLR(SGD(model.parameters(), lr=0.1), lambda epoch: 0.95**epoch)
```

Message (torch 1.1 and before; `collate_fn`):

```text
  File "/usr/lib/python3/dist-packages/torch/utils/data/dataloader.py", line 106, in _worker_loop
    samples = collate_fn([dataset[i] for i in batch_indices])
TypeError: 'NoneType' object is not callable
```

Message (torch 2.8 to 2.13; `a float`):

```text
TypeError: lr_lambda should be a function, but got float
```

Message (Simple Transformers, an option at the wrong place; `num_train_epochs`):

```text
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    model.train_model(train_df, eval_df=eval_df, num_train_epochs=3)
  File "/env/lib/python3.10/site-packages/simpletransformers/classification/classification_model.py", line 1869, in compute_metrics
    extra_metrics[metric] = func(labels, preds)
TypeError: 'int' object is not callable
```

Message (a loader of torch 1.2 to 2.13, in a worker; `worker_init_fn`):

```text
  File "/usr/lib/python3/dist-packages/torch/utils/data/_utils/worker.py", line 267, in _worker_loop
    init_fn(worker_id)
TypeError: 'NoneType' object is not callable
```
"""

import re

from keng.explain.advice.steps import given_for, taken_for_a_metric
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CALLED = re.compile(r"\b(collate_fn|init_fn|lr_lambda|lmbda|closure|fn|func|hook)\(")
"""What PyTorch is given to call."""

NAMES = {"lmbda": "lr_lambda", "init_fn": "worker_init_fn"}
MADE = re.compile(r"\b(?:Lambda|Multiplicative)LR\(\w+, ?(?:lr_lambda=)?[\d.]+\)")


@pitfall.explains(r"(?:^|Error: )'(?P<came>\w+)' object is not callable$", odds=0.93)
def no_function(failure: Failure) -> Hits:
    last, came = failure.frames[-1:], failure.groups["came"]
    inside = last and not last[0].user and "torch" in last[0].path
    called = CALLED.search(last[0].text) if inside else None
    if called is not None:
        name = NAMES.get(called[1], called[1])
        yield failure.hit(given_for(name, came))
    elif came == "float" and MADE.search(failure.around):
        yield failure.hit(given_for("lr_lambda", came))
    elif option := taken_for_a_metric(failure):
        yield failure.hit(
            f"Simple Transformers calls what it is given by an unknown name as a metric, and {option} is none: a setting goes to the model or into its args"
        )


@pitfall.explains(r"\b(?P<name>lr_lambda) should be a function, but got (?P<came>\w+)", odds=0.97)
def no_function_of_the_epoch(failure: Failure) -> Hits:
    name, came = failure.groups["name"], failure.groups["came"]
    yield failure.hit(given_for(name, came))
