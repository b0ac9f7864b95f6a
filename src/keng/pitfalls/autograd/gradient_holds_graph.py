r"""A gradient is stored together with the graph that made it.

`loss.backward(create_graph=True)` writes gradients into `.grad` that are results of a graph themselves, so that they can be differentiated again. That graph holds the parameters, and each
parameter holds its gradient: a ring, which neither reference counting nor Python's collector frees. The graph of a step stays until its gradients are cleared, and a model that is
thrown away with them never goes.

Cure: `grads = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)`, which stores nothing; where `backward` has to be it, `optimizer.zero_grad(set_to_none=True)` after
the last use of the gradients breaks the ring.

Bad:

```python
import warnings

import torch
from torch import nn

warnings.simplefilter("error")
model = nn.Linear(2, 1)
loss = model(torch.ones(1, 2)).square().sum()
loss.backward(create_graph=True)  # seen: `torch.autograd.grad`
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(2, 1)
loss = model(torch.ones(1, 2)).square().sum()
grads = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)
penalty = sum(grad.square().sum() for grad in grads)
penalty.backward()
```

Message (torch 1.10 to 2.13; `set_to_none`):

```text
UserWarning: Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid the leak. (Triggered internally at ../torch/csrc/autograd/engine.cpp:985.)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.explains(
    r"Using backward\(\) with create_graph=True will create a reference cycle", odds=0.95
)
def ring_of_gradients(failure: Failure) -> Hits:
    yield failure.hit(
        "gradients that keep their graph are stored with their parameters, and neither is freed: torch.autograd.grad(..., create_graph=True), "
        "or zero_grad(set_to_none=True) after their last use"
    )
