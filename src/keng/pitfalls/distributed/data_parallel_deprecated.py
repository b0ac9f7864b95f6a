r"""Several cards are driven by one process.

`nn.DataParallel` runs all cards from one Python process: at every step it copies the whole model to each card, splits
the batch, gathers the outputs on the first card and adds up the gradients there. The first card's memory and Python's
one running thread bound the speed, often below that of a single card; what a replica writes to a buffer is lost, and
PyTorch's own documentation advises against it.

Cure: `DistributedDataParallel`, one process for each card, also on one machine; `batch_size` is then that of one
card, and `torchrun` starts the processes.

Bad:

```python
import torch
from torch import nn


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x)


model = nn.DataParallel(Counting())  # here: `one process`
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Proof:

```python
assert isinstance(model, nn.DataParallel)
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (asked what it is; to load what was saved with it):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
state = nn.DataParallel(model).state_dict()
if isinstance(model, nn.DataParallel):
    model = model.module
```

Message (torch 1.0 to 2.13, a warning; `scalar`):

```text
UserWarning: Was asked to gather along dimension 0, but all input tensors were scalars; will instead unsqueeze and return a vector.
```

Message (torch 1.5 to 2.13; `next(self.parameters())`):

```text
StopIteration: Caught StopIteration in replica 0 on device 0.
Original Traceback (most recent call last):
  File "/env/lib/python3.8/site-packages/torch/nn/parallel/parallel_apply.py", line 61, in _worker
    output = module(*input, **kwargs)
  File "/home/u/model.py", line 40, in forward
    device = next(self.parameters()).device
StopIteration
```

Message (torch 1.5 to 2.13, cut off; `next(self.parameters())`):

```text
Exception in main training loop: Caught StopIteration in replica 0 on device 0.
Original Traceback (most recent call last):
```

Message (torch 1.5 to 1.13; `register_parameter`):

```text
UserWarning: nn.ParameterList is being used with DataParallel but this is not supported. This list will appear empty for the models replicated on each GPU except the original one.
```

Message (torch 1.5 to 1.13; `register_parameter`):

```text
UserWarning: nn.ParameterDict is being used with DataParallel but this is not supported. This dict will appear empty for the models replicated on each GPU except the original one.
```

Message (torch 1.5 to 2.13; `the model that was wrapped`):

```text
UserWarning: Calling .zero_grad() from a module created with nn.DataParallel() has no effect. The parameters are copied (in a differentiable manner) from the original module. This means they are not leaf nodes in autograd and so don't accumulate gradients. If you need gradients in your forward method, consider using autograd.grad instead.
```

Message (torch 1.0 to 2.13; `torch.jit.script`):

```text
RuntimeError: Cannot replicate network where python modules are children of ScriptModule
```

Message (torch 1.5 to 2.13, a model of transformers 2 and 3; `a newer transformers`):

```text
StopIteration: Caught StopIteration in replica 0 on device 0.
Original Traceback (most recent call last):
  File "/env/lib/python3.8/site-packages/torch/nn/parallel/parallel_apply.py", line 61, in _worker
    output = module(*input, **kwargs)
  File "/env/lib/python3.8/site-packages/transformers/modeling_bert.py", line 707, in forward
    extended_attention_mask = extended_attention_mask.to(dtype=next(self.parameters()).dtype)
StopIteration
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint")

INSTALLED = re.compile(r"-packages/(?!torch/)(\w+)/")


@pitfall.finds
def one_process_for_all_cards(code: Code) -> Hits:
    for call in code.trained_in("torch.nn.DataParallel", "torch.nn.parallel.DataParallel"):
        says = "one process drives all cards here: DistributedDataParallel has one for each"
        yield code.hit(call, says)


@pitfall.explains(
    r"Was asked to gather along dimension 0, but all input tensors were scalars", odds=0.95
)
def a_loss_from_each_card(failure: Failure) -> Hits:
    yield failure.hit(
        "each card returns a scalar, and they come as a vector: loss.mean() before backward, as meant"
    )


@pitfall.explains(
    r"(?:^|\n)StopIteration$", r"Caught (?P<what>StopIteration) in replica", odds=0.93
)
def replicas_have_no_parameters(failure: Failure) -> Hits:
    cards = any("parallel_apply.py" in frame.path for frame in failure.frames)
    if cards or failure.groups.get("what"):
        library = INSTALLED.search(failure.raised_in)
        cure = "take the device of an input instead of next(self.parameters()), or DistributedDataParallel"
        if library is not None:
            cure = f"a newer {library[1]}, one card (CUDA_VISIBLE_DEVICES=0), or DistributedDataParallel"
        yield failure.hit(f"the copies that DataParallel makes have no parameters(): {cure}")


pitfall.answers(
    {
        "Calling .zero_grad() from a module created with": "zero_grad() is called inside of forward, on a copy that has no gradients: on the model that was wrapped, outside",
        "Cannot replicate network where python modules": "a scripted module that holds plain ones is not copied to the cards: torch.jit.script for all of it, or none",
        "nn.ParameterList is being used with DataParallel": "the copies of DataParallel hold no lists of parameters: an attribute for each (register_parameter), or DistributedDataParallel",
        "nn.ParameterDict is being used with DataParallel": "the copies of DataParallel hold no lists of parameters: an attribute for each (register_parameter), or DistributedDataParallel",
    },
    odds=0.95,
)
