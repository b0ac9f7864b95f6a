r"""A tensor of inference mode is used where gradients are recorded.

`torch.inference_mode()` leaves out what autograd would need, so its tensors can never take part in a
graph, nor be changed outside the mode. Embeddings or a teacher's outputs that were computed under it and
then go through a layer that learns meet this.

Cure: `torch.no_grad()` where the result is used in training, or `x.clone()` outside the mode.

Bad:

```python
import torch
from torch import nn

teacher, head = nn.Linear(2, 2), nn.Linear(2, 1)
with torch.inference_mode():
    features = teacher(torch.ones(4, 2))
loss = head(features).sum()  # seen: a tensor of inference mode
```

Bad (changed outside):

```python
import torch

with torch.inference_mode():
    total = torch.zeros(3)
total.add_(1)  # seen: changed outside the mode
```

Good:

```python
import torch
from torch import nn

teacher, head = nn.Linear(2, 2), nn.Linear(2, 1)
with torch.no_grad():
    features = teacher(torch.ones(4, 2))
loss = head(features).sum()
```

Message (torch 1.9 to 2.13; `x.clone()`):

```text
RuntimeError: Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


pitfall.answers(
    {
        "Inference tensors cannot be saved for backward": "a tensor of inference mode can enter no graph: x.clone() outside of the mode, or torch.no_grad() in place of the mode where it is made",
        "Inplace update to inference tensor outside InferenceMode": "a tensor of inference mode is not changed outside of it: x = x.clone() first, or torch.no_grad() where it is made, as a cache or a buffer; Lightning's Trainer(inference_mode=False)",
        "Setting requires_grad=True on inference tensor outside": "a tensor of inference mode learns nothing: x.clone().requires_grad_() outside of the mode, or make it there, as the model and its weights",
    },
    odds=0.97,
)
