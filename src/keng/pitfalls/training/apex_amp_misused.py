r"""The mixed precision of Apex is used without or after its set-up.

`apex.amp` patches functions and casts the model in `amp.initialize`, and all the rest counts on it: `amp.scale_loss` before it finds no state; a model that is wrapped
for several cards or turned to half precision before it is refused; a second `initialize` patches what is patched. Apex itself is no longer developed
in this part, and PyTorch has brought autocast and GradScaler since 1.6.

Cure: `model, optimizer = amp.initialize(model, optimizer, opt_level="O1")` once, on a model in float32 on its card, then
DistributedDataParallel; better `torch.autocast` and `torch.amp.GradScaler`, without Apex.

Bad:

```python
import torch
from apex import amp

model = torch.nn.Linear(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.ones(1, 2).cuda()).sum()
with amp.scale_loss(loss, optimizer) as scaled:
    scaled.backward()
```

Good:

```python
import torch

model = torch.nn.Linear(2, 2)
with torch.autocast("cpu", dtype=torch.bfloat16):
    loss = model(torch.ones(1, 2)).sum()
loss.backward()
```

Message (Apex of 2019 and later; `amp.initialize`):

```text
RuntimeError: Invoked 'with amp.scale_loss`, but internal Amp state has not been initialized.  model, optimizer = amp.initialize(model, optimizer, opt_level=...) must be called before `with amp.scale_loss`.
```

Message (Apex of early 2019; `before`):

```text
AttributeError: 'AmpState' object has no attribute 'opt_properties'
```

Message (Apex, a model that is wrapped already; `DistributedDataParallel`):

```text
RuntimeError: Incoming model is an instance of torch.nn.parallel.DistributedDataParallel. Parallel wrappers should only be applied to the model(s) AFTER
the model(s) have been returned from amp.initialize.
```

Sources: https://github.com/facebookresearch/maskrcnn-benchmark/issues/711
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="Apex")


@pitfall.explains(
    r"internal Amp state has not been initialized|'AmpState' object has no attribute 'opt_properties'",
    odds=0.97,
)
def not_initialized(failure: Failure) -> Hits:
    yield failure.hit(
        "amp.scale_loss comes before amp.initialize: set the model and optimizer up by it first, or take torch.autocast"
    )


@pitfall.explains(
    r"Incoming model is an instance of (?:torch\.nn\.parallel\.|apex\.parallel\.)(?P<kind>\w+)",
    odds=0.95,
)
def wrapped_before(failure: Failure) -> Hits:
    yield failure.hit(
        f"the model is wrapped in {failure.groups['kind']} before amp.initialize: wrap it after"
    )
