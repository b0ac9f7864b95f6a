r"""The state of an optimizer belongs to other parameters.

An optimizer's state knows its parameters by their order and number alone. After a layer was added or
frozen, or when the groups are made otherwise, the saved numbers do not fit; where the counts happen to
agree, momentum lands on the wrong parameters without an error, or meets a gradient of another size in the next step. The options of the groups are taken from the
file as well: an Adam that loads the state of an SGD has no `betas` any more, and fails at its next step. A checkpoint that was
stripped for inference holds None in place of a state. In the optimizer itself the state stands by the parameters: one that is
taken out of its group leaves its state behind, which no state dict can then number.

Cure: make model and groups exactly as when the file was saved, load, and change them afterwards; or
start the optimizer anew.

Bad:

```python
import torch
from torch import nn

before = torch.optim.Adam(nn.Linear(2, 2).parameters())
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(before.state_dict())  # seen: `2 parameters in groups of [2]`, and 4 here
```

Bad (another number of groups):

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.Adam([{"params": [p]} for p in model.parameters()])
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(before.state_dict())  # seen: `in groups of [1, 1]`, and one here
```

Bad (another kind of optimizer):

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(before.state_dict())
model(torch.ones(1, 2)).sum().backward()
optimizer.step()  # seen: `betas`
```

Bad (a model of other classes, whose parameters are as many):

```python
import torch
from torch import nn

before, model = nn.Linear(4, 91), nn.Linear(4, 7)
saved = torch.optim.Adam(before.parameters())
before(torch.ones(2, 4)).sum().backward()
saved.step()
optimizer = torch.optim.Adam(model.parameters(), foreach=True)
optimizer.load_state_dict(saved.state_dict())
model(torch.ones(2, 4)).sum().backward()
optimizer.step()  # seen: `91 values`
```

Bad (the same, of an optimizer that multiplies the gradient by the one before):

```python
import torch
from torch import nn

before, model = nn.Linear(4, 91), nn.Linear(4, 7)
saved = torch.optim.Rprop(before.parameters())
before(torch.ones(2, 4)).sum().backward()
saved.step()
optimizer = torch.optim.Rprop(model.parameters())
optimizer.load_state_dict(saved.state_dict())
model(torch.ones(2, 4)).sum().backward()
optimizer.step()  # seen: `91 values for a parameter of 7`
```

Bad (a model's state):

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(model.state_dict())  # seen: `optimizer.state_dict()`
```

Bad (a parameter is taken out of its group, and its state is left):

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
model(torch.ones(1, 2)).sum().backward()
optimizer.step()
optimizer.param_groups[0]["params"].pop()
optimizer.state_dict()  # seen: `del optimizer.state[p]`
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.Adam(model.parameters())
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(before.state_dict())
```

Message (torch 1.4, of an optimizer's step; `768 values`):

```text
Traceback (most recent call last):
  File "train.py", line 105, in <module>
    optimizer.step()
  File "/env/lib/python3.6/site-packages/torch/optim/adam.py", line 100, in step
    exp_avg.mul_(beta1).add_(1 - beta1, grad)
RuntimeError: The size of tensor a (768) must match the size of tensor b (2) at non-singleton dimension 0
```

Bad (another kind, whose groups have the same options):

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.Adam(model.parameters())
model(torch.ones(1, 2)).sum().backward()
before.step()
optimizer = torch.optim.Adamax(model.parameters())
optimizer.load_state_dict(before.state_dict())
optimizer.step()  # seen: `exp_inf`
```

Bad (another kind, whose states have other names):

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.RMSprop(model.parameters())
model(torch.ones(1, 2)).sum().backward()
before.step()
optimizer = torch.optim.Adagrad(model.parameters())
optimizer.load_state_dict(before.state_dict())
optimizer.step()  # seen: no `sum`
```

Message (transformers 4, whose own AdamW steps on; `exp_avg`):

```text
Traceback (most recent call last):
  File "run_glue.py", line 188, in train
    optimizer.step()
  File "/env/lib/python3.7/site-packages/transformers/optimization.py", line 455, in step
    exp_avg, exp_avg_sq = state["exp_avg"], state["exp_avg_sq"]
KeyError: 'exp_avg'
```

Message (torch 1.0 to 2.13, without its traceback; `exp_avg`):

```text
KeyError: 'exp_avg'
```

Message (torch 1.0 to 1.13, pasted from Markdown; `exp_avg`):

```text
Traceback (most recent call last):
  File "train.py", line 295, in train
    optimizer.step()
  File "D:\Python37\lib\site-packages\torch\optim\adam.py", line 82, in step
    exp_avg, exp_avg_sq = state['exp_avg'], state['exp_avg_sq']
KeyError: 'exp_avg'
```

Message (torch 1.0 to 2.13, a checkpoint without the optimizer's state; `None`):

```text
Traceback (most recent call last):
  File "train.py", line 63, in __init__
    self.optimizer.load_state_dict(self.ckpt["optimizer"])
  File "/env/lib/python3.7/site-packages/torch/optim/optimizer.py", line 138, in load_state_dict
    saved_groups = state_dict['param_groups']
TypeError: 'NoneType' object is not subscriptable
```

Message (torch 1.6 to 2.13, code for an older one; `param_groups`):

```text
Traceback (most recent call last):
  File "net2wider.py", line 84, in configure_optimizer
    state_old = optimizer_old.state_dict()['state'][p.raw_id]
KeyError: 139737672243200
```

Message (torch 0.4, on a GPU; `another order`):

```text
Traceback (most recent call last):
  File "train.py", line 367, in main
    optimizer.step()
  File "/env/lib/python3.5/site-packages/torch/optim/sgd.py", line 94, in step
    buf.mul_(momentum).add_(1 - dampening, d_p)
RuntimeError: invalid argument 3: sizes do not match at /pytorch/torch/lib/THC/generated/../generic/THCTensorMathPointwise.cu:271
```

Message (torch 0.2 to 2.13, as people write of it; `load the weights alone`):

```text
when I load the optimizer from last.pth, I get "KeyError('param_groups')", is the file broken?
```
"""

import re

from keng.explain.advice.fits import regrouped
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"loaded state dict (?:contains a parameter group that doesn't match the size of optimizer's group|has a "
    r"different number of parameter groups)",
    odds=0.97,
)
def in_other_groups(failure: Failure) -> Hits:
    otherwise = "the optimizer has other parameters, or other groups, than when its state was saved: freeze and group as then, or load the weights alone and begin with a new state"
    yield failure.hit(regrouped(failure.live.groups) or otherwise)


STATE = re.compile(r"\b(?:exp_avg|exp_avg_sq|exp_inf|momentum_buffer|square_avg|state_sum|buf)\b")
"""What optimizers call the states that they keep for each parameter."""
OPTIMIZERS = re.compile(r"/torch/optim/(?!swa_utils|lr_scheduler)")
STATE_LAST = re.compile(r"grad\.mul\(prev\)|\(grouped_(?:params|grads), ")
FRESH = "its state is of a model with other sizes or classes, or of parameters in another order: leave it out of what is loaded"

BY_IDENTITY = re.compile(r"\bstate_dict\(\)\[[\"']state[\"']\]\[|\[[\"']state[\"']\]\[id\(")
"""A state that is looked up in a state dict."""


@pitfall.explains(
    r"The size of tensor a \((?P<one>\d+)\) must match the size of tensor b \((?P<other>\d+)\)",
    odds=0.97,
)
def met_in_a_step(failure: Failure) -> Hits:
    last = failure.frames[-1] if failure.frames else None
    if last is not None and (STATE.search(last.text) or OPTIMIZERS.search(last.posix)):
        sizes = [failure.groups["one"], failure.groups["other"]]
        kept, has = sizes[::-1] if STATE_LAST.search(last.text) else sizes
        yield failure.hit(f"the optimizer keeps {kept} values for a parameter of {has}: {FRESH}")


@pitfall.explains(
    r"(?:^|Error: )'(?P<key>betas|momentum|momentum_buffer|exp_avg|exp_avg_sq|max_exp_avg_sq|exp_inf|square_avg|grad_avg|acc_delta|prev|step_size|"
    r"lambd|lr_decay|mu_product|ns_coefficients|amsgrad|dampening|nesterov|alpha|weight_decay|param_groups|foreach|maximize|capturable|differentiable|fused|step)'$",
    r"KeyError: '(?P<key>sum|etas?|mu|ax|rho|eps)'$",
    odds=0.93,
)
def of_another_kind(failure: Failure) -> Hits:
    key, last = failure.groups["key"], failure.frames[-1] if failure.frames else None
    looks = rf"\b(?:state|group)\[[\"']{key}[\"']\]"
    known = "/torch/optim/" in failure.raised_in
    if last is not None and not last.user and last.function.startswith("step"):
        known = known or re.search(looks, last.text) is not None
    if key == "param_groups" and last is None:
        known = "optimizer" in f"{failure.told} {failure.message}"
    if failure.kind != "KeyError" or not (known or (last is None and STATE.fullmatch(key))):
        return  # a dict of the program's own
    says = f"the optimizer finds no `{key}` in its groups or states: they were loaded from another kind or version of optimizer: make that one, or leave its state out"
    if key == "param_groups":
        says = "what is loaded is no state of an optimizer, but a model's or a scheduler's perhaps: load the weights alone, and save optimizer.state_dict() as well"
    yield failure.hit(says, sure=known)


@pitfall.explains(r"KeyError: \d{9,20}$", odds=0.93)
def asked_by_address_of_memory(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/optim/optimizer.py"):
        yield failure.hit(
            "the optimizer keeps the state of a parameter that is in no group any more: change `param_groups` before the first "
            "step, or `del optimizer.state[p]` as well"
        )
    elif BY_IDENTITY.search(failure.line):
        yield failure.hit(
            "a state dict numbers the parameters in the order of `param_groups`, since torch 1.6, and knows no id(): "
            "optimizer.state[p] is asked by the parameter itself"
        )


@pitfall.explains(r"'NoneType' object is not (?:subscriptable|iterable)", odds=0.95)
def nothing_loaded(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/optim/optimizer.py"):
        yield failure.hit(
            "None is loaded as the optimizer's state: the checkpoint was saved, or stripped, for inference alone"
        )


@pitfall.explains(r"invalid argument \d: sizes do not match at", odds=0.97)
def met_in_an_old_step(failure: Failure) -> Hits:
    if failure.frames and STATE.search(failure.frames[-1].text):
        yield failure.hit(f"the optimizer's state does not fit its parameter: {FRESH}")
