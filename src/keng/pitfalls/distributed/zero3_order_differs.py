r"""The modules run in another order than ZeRO-3 has written down.

ZeRO-3 keeps each weight in pieces, one a process. It gathers the weights of a module before it runs and lets them go after it, and from the order of the first pass it knows
what to gather ahead. A branch that only some batches take (an image tower, experts, a layer that is dropped at random), a pass for evaluation or `generate` between forward and backward, and a module
that runs several times break that order: at best it is learned again each time, at worst what was gathered ahead is not what is asked for. Where ranks go different ways the run stands still.

Cure: every module in every pass, an absent image as zeros; `deepspeed.utils.set_z3_leaf_modules(model, [Block])` for blocks of experts, which gathers them whole; ZeRO-2 where the
weights fit on the card.

Bad:

```python
import deepspeed
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.text = torch.nn.Linear(8, 8)
        self.image = torch.nn.Linear(8, 8)

    def forward(self, x, image=None):
        x = self.text(x)
        return x if image is None else x + self.image(image)


config = {"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 3}}
model, *_ = deepspeed.initialize(model=Net(), config=config)
```

Good:

```python
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.text = torch.nn.Linear(8, 8)
        self.image = torch.nn.Linear(8, 8)

    def forward(self, x, image):
        return self.text(x) + self.image(image)


model = Net()
y = model(torch.ones(1, 8), torch.zeros(1, 8))
```

Message (DeepSpeed; `step 603`):

```text
RuntimeError: tracing error at step 603:
module id: 1, training: True
expected the next 1 parameters in the parameter fetch queue to be ({'id': 'name=transformer.visual.conv1.weight id=194', 'status': 'AVAILABLE', 'numel': 752640},)
```

Message (DeepSpeed 0.14 and before; `gathered`):

```text
RuntimeError: still have inflight params [{'id': 8, 'status': 'AVAILABLE', 'numel': 26214400, 'ds_numel': 26214400, 'shape': (5120, 5120)}]
```

Message (DeepSpeed; `module 6`):

```text
Invalidate trace cache @ step 0: expected module 0, but got module 6
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="DeepSpeed")


@pitfall.explains(
    r"tracing error at step (?P<step>\d+):\s{1,9}(?:module id: \d+, training: \w{4,5}\s{1,9})?(?:expected the next|$)",
    odds=0.95,
)
def asked_for_another(failure: Failure) -> Hits:
    yield failure.hit(
        f"at step {failure.groups['step']} a module runs that did not run there before: no branch that only some batches take, "
        "set_z3_leaf_modules for experts, or ZeRO-2"
    )


@pitfall.explains(
    r"Invalidate trace cache @ step \d+.{0,30}?: (?:expected module \d+, but got module (?P<came>\d+)|cache has only)",
    odds=0.9,
)
def learned_again(failure: Failure) -> Hits:
    came = failure.groups["came"]
    which = (
        f"module {came} came where another had run" if came else "more modules came than had run"
    )
    yield failure.hit(
        f"{which}, and ZeRO-3 learns their order again: right and slower, as between training and evaluation; in every step it is a branch on the data"
    )


pitfall.answers(
    {
        "still have inflight params": "weights were gathered ahead for a module that then did not run, as after generate or evaluation: pip install -U deepspeed, the same modules in every pass",
    },
    odds=0.9,
)
