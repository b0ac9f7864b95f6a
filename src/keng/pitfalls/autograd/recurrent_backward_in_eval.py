r"""The gradient of a recurrent layer is asked for in eval mode on a GPU.

In eval mode cuDNN's forward of an RNN, LSTM or GRU keeps nothing for a backward, and the backward says so. Saliency, adversarial
examples, a critic that only hands gradients on and a training loop after an evaluation meet it. The CPU has no such rule, so that
a test there passes.

Cure: `model.train()` before training goes on; for gradients of a model that is evaluated, leave the recurrent layers in training
mode with `dropout` of 0, or compute them under `torch.backends.cudnn.flags(enabled=False)`.

Bad:

```python
import torch
from torch import nn

net = nn.LSTM(4, 8).cuda().eval()
x = torch.randn(5, 2, 4, device="cuda", requires_grad=True)
net(x)[0].sum().backward()  # seen: `model.train()`
```

Good:

```python
import torch
from torch import nn

net = nn.LSTM(4, 8).cuda().eval()
x = torch.randn(5, 2, 4, device="cuda", requires_grad=True)
with torch.backends.cudnn.flags(enabled=False):
    net(x)[0].sum().backward()
```

Message (torch 1.0 to 2.13; `model.train()`):

```text
RuntimeError: cudnn RNN backward can only be called in training mode
```

Message (torch 0.4; `model.train()`):

```text
RuntimeError: backward_input can only be called in training mode
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(r"(?:RNN backward|backward_input) can only be called in training mode", odds=0.97)
def backward_in_eval_mode(failure: Failure) -> Hits:
    yield failure.hit(
        "the gradient of a recurrent layer is asked for in eval mode: model.train(), or cuDNN off for it"
    )
