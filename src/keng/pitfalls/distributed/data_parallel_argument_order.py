r"""DataParallel splits the arguments of forward in a way that the model does not expect.

Every tensor among the arguments is cut along its first dimension, one piece for each card, in lists, tuples and dicts
too; everything else is handed to all of them. So a tensor that is no batch (a mask for all samples, a matrix of
weights, a time-first sequence) is cut as well, a scalar tensor cannot be cut, and when there are fewer samples than
cards the last replicas get no such argument: "missing 1 required positional argument".

Cure: batch first in every tensor argument; what is not a batch as a buffer of the model, or a plain number; a
DataLoader with `drop_last=True`; best of all DistributedDataParallel, which splits nothing.

Bad:

```python
import torch
from torch import nn


class Scaled(nn.Module):
    def forward(self, x, scale):
        return x * scale


model = nn.DataParallel(Scaled().cuda())
y = model(torch.ones(8, 2).cuda(), scale=torch.tensor(2.0).cuda())
```

Good:

```python
import torch
from torch import nn


class Scaled(nn.Module):
    def forward(self, x, scale):
        return x * scale


model = Scaled().cuda()
y = model(torch.ones(8, 2).cuda(), scale=2.0)
```

Message (torch 1.5 to 2.13, one sample and two cards; `replica 0`):

```text
TypeError: Caught TypeError in replica 1 on device 1.
Original Traceback (most recent call last):
  File "/opt/venv/lib/python3.8/site-packages/torch/nn/parallel/parallel_apply.py", line 61, in _worker
    output = module(*input, **kwargs)
TypeError: forward() missing 1 required positional argument: 'x'
```

Message (torch 1.5 to 2.13, of four cards, without the end of its traceback; `fewer samples than cards`):

```text
it happens with -gpus 4

  File "run_training_DP.py", line 188, in run_iteration
    ret = self.network(data, target)
TypeError: forward() missing 1 required positional argument: 'x'
```

Message (torch 1.0 to 2.13; `make the state in forward`):

```text
My model runs well in a single-GPU environment, and under multi-GPU there is

RuntimeError: Expected hidden size (3, 64, 12), got (3, 16, 12)
```

Message (torch 1.4 to 2.13):

```text
  File "/opt/venv/lib/python3.8/site-packages/torch/nn/parallel/comm.py", line 187, in scatter
    return tuple(torch._C._scatter(tensor, devices, chunk_sizes, dim, streams))
RuntimeError: chunk expects at least a 1-dimensional tensor
```

Message (torch 1.0 to 1.4; `each: an argument`):

```text
RuntimeError: Gather got an input of invalid size: got [24, 10, 448, 448], but expected [24, 11, 448, 448] (gather at /pytorch/torch/csrc/cuda/comm.cpp:239)
```

Message (torch 1.5 to 2.13; `each: an argument`):

```text
RuntimeError: Input tensor at index 1 has invalid shape [16, 3], but expected [16, 4]
```

Message (torch 1.0 to 2.13; `lies on the CPU`):

```text
AssertionError: Gather function not implemented for CPU tensors
```

Message (torch 0.4 to 1.7; `lies on the CPU`):

```text
Traceback (most recent call last):
  File "train.py", line 635, in forward
    output = self.model(inputs)
  File "/env/lib/python3.6/site-packages/torch/nn/parallel/_functions.py", line 54, in forward
    assert all(map(lambda i: i.is_cuda, inputs))
AssertionError
```

Message (torch 0.4 to 2.13; `no tensor`):

```text
Traceback (most recent call last):
  File "train.py", line 10, in <module>
    out = net(x)
  File "/env/lib/python3.7/site-packages/torch/nn/parallel/data_parallel.py", line 153, in forward
    return self.gather(outputs, self.output_device)
  File "/env/lib/python3.7/site-packages/torch/nn/parallel/scatter_gather.py", line 63, in gather_map
    return type(out)(map(gather_map, zip(*outputs)))
TypeError: zip argument #1 must support iteration
```

Message (torch 0.4 to 2.13; `no tensor`):

```text
Traceback (most recent call last):
  File "train.py", line 10, in <module>
    out = net(x)
  File "/env/lib/python3.11/site-packages/torch/nn/parallel/scatter_gather.py", line 142, in gather_map
    return type(out)(map(gather_map, zip(*outputs)))
TypeError: 'float' object is not iterable
```

Message (torch 1.1 to 2.13; `the same keys`):

```text
ValueError: All dicts must have the same number of keys
```

Message (torch 1.0 to 1.4; `each: sequences`):

```text
ValueError: gather got an input of invalid size: got 10x110x29, but expected 10x226x29
```

Message (torch 0.4 to 1.7; `the model lies on`):

```text
Traceback (most recent call last):
  File "train.py", line 31, in <module>
    out = net(x)
  File "/env/lib/python3.6/site-packages/torch/nn/parallel/replicate.py", line 12, in replicate
    param_copies = Broadcast.apply(devices, *params)
  File "/env/lib/python3.6/site-packages/torch/nn/parallel/_functions.py", line 14, in forward
    assert all(map(lambda i: i.is_cuda, inputs))
AssertionError
```
"""

import re

from keng.explain.advice.processes import on_several_cards
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"forward\(\) missing \d+ required positional arguments?: '(?P<name>\w{1,60})'", odds=0.95
)
def nothing_left_for_a_card(failure: Failure) -> Hits:
    if on_several_cards(failure):
        yield failure.hit(
            "there were fewer samples than cards, so that a replica got none: drop_last=True, or model.module for a few; of replica 0 "
            f"the call itself leaves out `{failure.groups['name']}`"
        )


@pitfall.explains(
    r"Expected hidden(?:\[[01]\])? size \(\d+, (?P<wants>\d+), \d+\), got [\[(]\d+, (?P<came>\d+), \d+",
    odds=0.97,
)
def state_split_otherwise(failure: Failure) -> Hits:
    few, many = sorted(int(failure.groups[side]) for side in ("wants", "came"))
    if many > few > 0 and many % few == 0 and on_several_cards(failure):
        yield failure.hit(
            f"DataParallel splits input and state along one dimension, which is not the batch of both ({few} and {many}): batch_first=True and a "
            "state of (batch, layers, ...) that forward turns, or make the state in forward"
        )


@pitfall.explains(r"chunk expects at least a 1-dimensional tensor", odds=0.9)
def scalar_cut(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/parallel/comm.py", "torch/nn/parallel/scatter_gather.py"):
        yield failure.hit(
            "a tensor without dimensions cannot be split over the cards: pass a number"
        )


@pitfall.explains(
    r"[Gg]ather got an input of invalid size: got (?P<came>\[?[\dx, ]+\]?), but expected (?P<wants>\[?[\dx, ]+)",
    r"Input tensor at index \d+ has invalid shape (?P<came>\[[\d, ]+\]), but expected (?P<wants>\[[\d, ]+)",
    odds=0.93,
)
def outputs_that_differ(failure: Failure) -> Hits:
    came, wants = (re.findall(r"\d+", failure.groups[side])[1:] for side in ("came", "wants"))
    apart = [abs(int(a) - int(b)) for a, b in zip(came, wants, strict=False)]
    cut = "an argument that is no batch, as a mask or positions, was cut in parts: a buffer of the model, or a number"
    padded = "sequences were padded to the longest of each part: pad_packed_sequence(..., total_length=x.size(1))"
    first, then = (cut, padded) if max(apart, default=0) == 1 else (padded, cut)
    yield failure.hit(f"the cards return outputs of another size each: {first}; or {then}")


@pitfall.explains(
    r"(?P<what>Gather|Broadcast) function not implemented for CPU tensors",
    r"assert all\(map\(lambda i: i\.is_cuda, inputs\)\)",
    odds=0.97,
)
def left_on_the_cpu(failure: Failure) -> Hits:
    told = {"Gather": "an output of forward", "Broadcast": "the model"}
    files = {"replicate.py": "Broadcast", "scatter_gather.py": "Gather"}
    passed = next((step for file, step in files.items() if failure.passed_through(file)), "")
    step = failure.groups.get("what") or passed
    what = told.get(step, "the model or an output of forward")
    yield failure.hit(f"{what} lies on the CPU, and DataParallel joins what is on cards: .cuda()")


@pitfall.explains(r"All dicts must have the same number of keys", odds=0.95)
def other_keys(failure: Failure) -> Hits:
    yield failure.hit(
        "the cards return dictionaries of different keys: the same keys from each, whatever its part of the batch"
    )


@pitfall.explains(
    r"zip argument #1 must support iteration|'(?P<what>\w{1,40})' object is not iterable|has no attribute 'get_device'",
    odds=0.95,
)
def output_without_tensors(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/parallel/scatter_gather.py"):
        what = failure.groups["what"]
        which = f" ({what})" if what else ""
        yield failure.hit(
            f"forward returns something that is no tensor{which}, and DataParallel joins tensors from the cards: return tensors, in tuples or dictionaries"
        )
