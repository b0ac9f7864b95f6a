r"""The focal loss weighs the mean of a batch instead of its samples.

`exp(-ce)` is the probability that the model gives the right class, where `ce` is the loss of one sample. By default a loss of torch is
the mean over the batch: then `(1 - exp(-ce)) ** gamma` is one number, which scales the whole batch. Easy samples are not put back
against hard ones, which is all that a focal loss is for, and a `.mean()` behind it changes nothing.

Cure: `reduction="none"` in the cross-entropy, and the mean at the end.

Source: Lin et al., 2017, Focal Loss for Dense Object Detection, equations 1 to 4.

Bad:

```python
import torch
from torch import nn
from torch.nn import functional as F


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, target):
        ce = F.cross_entropy(logits, target)
        pt = torch.exp(-ce)
        loss = (1 - pt) ** self.gamma * ce  # here: one weight for the whole batch
        return loss.mean()


torch.manual_seed(0)
logits, target = 3 * torch.randn(8, 3, requires_grad=True), torch.randint(3, (8,))
loss = FocalLoss()(logits, target)
```

Proof:

```python
mean = F.cross_entropy(logits, target)
focal, plain = (torch.autograd.grad(each, logits, retain_graph=True)[0] for each in (loss, mean))
scale = focal.norm() / plain.norm()
assert torch.allclose(focal, scale * plain, atol=1e-6)  # as plain cross-entropy, scaled
```

Bad (by the logarithm; a criterion; both classes):

```python
import torch
from torch import nn
from torch.nn import functional as F


class FocalLoss(nn.Module):
    def __init__(self, weight=None):
        super().__init__()
        self.criterion = nn.CrossEntropyLoss(weight=weight)

    def forward(self, logits, target):
        logpt = -self.criterion(logits, target)
        return -((1 - torch.exp(logpt)) ** 2) * logpt  # here: one weight


def binary_focal_loss(logits, target, alpha=0.25, gamma=2.0):
    bce = F.binary_cross_entropy_with_logits(logits, target, reduction="mean")
    return alpha * torch.pow(1.0 - (-bce).exp(), gamma) * bce  # here: one weight


logits, target = torch.randn(8, requires_grad=True), torch.ones(8)
loss = binary_focal_loss(logits, target)
```

Proof:

```python
plain = F.binary_cross_entropy_with_logits(logits, target)
focal, mean = (torch.autograd.grad(each, logits)[0] for each in (loss, plain))
assert torch.allclose(focal / focal.norm(), mean / mean.norm(), atol=1e-5)
```

Good:

```python
import torch
from torch import nn
from torch.nn import functional as F


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, target):
        ce = F.cross_entropy(logits, target, reduction="none")
        pt = torch.exp(-ce)
        loss = (1 - pt) ** self.gamma * ce
        return loss.mean()


torch.manual_seed(0)
logits, target = 3 * torch.randn(8, 3, requires_grad=True), torch.randint(3, (8,))
loss = FocalLoss()(logits, target)
```

Fine (a reduction that is not known; one sample at a time; another loss; a weight that is not multiplied with what it was made of):

```python
import torch
from torch import nn
from torch.nn import functional as F


class FocalLoss(nn.Module):
    def __init__(self, reduction="none", **options):
        super().__init__()
        self.reduction, self.criterion = reduction, nn.CrossEntropyLoss(**options)

    def forward(self, logits, target):
        ce = F.cross_entropy(logits, target, reduction=self.reduction)
        other = self.criterion(logits, target)
        mine = (1 - torch.exp(-other)) ** 2 * other
        return ((1 - torch.exp(-ce)) ** 2 * ce).mean() + mine.mean()


logits, target = torch.randn(4, 3), torch.randint(3, (4,))
FocalLoss("none", label_smoothing=0.1)(logits, target)
total = 0.0
for scores, label in zip(logits, target):
    ce = F.cross_entropy(scores, label)
    total += (1 - torch.exp(-ce)) ** 2 * ce
for n in range(4):
    ce = F.cross_entropy(logits[n : n + 1], target[n : n + 1])
    total += (1 - torch.exp(-ce)) ** 2 * ce
error = F.mse_loss(logits, torch.zeros(4, 3))
kernel = (1 - torch.exp(-error)) ** 2 * error
ce = F.cross_entropy(logits, target)
each = F.cross_entropy(logits, target, reduction="none")
weight = (1 - torch.exp(-ce)) ** 2
loss = (1 - torch.exp(-ce)) ** 2 * each.mean()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def one_weight_for_all(code: Code) -> Hits:
    for product, name, loss in code.focal_on_means():
        edits = code.mean_at_the_end(product, name, loss)
        says = f"`{name.id}` is one number for the batch, and so is the weight: no sample counts more than another"
        yield code.hit(product, says, Fix("Take the mean at the end", edits) if edits else None)
