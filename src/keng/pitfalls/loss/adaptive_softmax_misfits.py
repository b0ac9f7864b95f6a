r"""An `AdaptiveLogSoftmaxWithLoss` gets cutoffs, inputs or targets that do not fit.

It divides the classes by how frequent they are: the cutoffs are where each group ends, in increasing order, above 0 and below the number of classes, which is not one of them.
Its input is a row of features for each sample and its target a class number for each: sequences are flattened first. The targets
count the classes from the most frequent one, 0.

Cure: `cutoffs=[1000, 5000]` of 20000 classes; `loss_of(hidden.flatten(0, 1), labels.flatten())`; classes numbered by frequency.

Bad (the last class as a cutoff):

```python
from torch import nn

loss_of = nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 10])  # seen: `n_classes - 1`
```

Bad (a target for fewer samples):

```python
import torch
from torch import nn

loss_of = nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 6], div_value=1.0)
loss = loss_of(torch.ones(3, 4), torch.zeros(2, dtype=torch.long))  # seen: `flatten`
```

Bad (a class that is not there):

```python
import torch
from torch import nn

loss_of = nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 6], div_value=1.0)
loss = loss_of(torch.ones(2, 4), torch.tensor([0, 10]))  # seen: `10 classes`
```

Good:

```python
import torch
from torch import nn

loss_of = nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 6], div_value=1.0)
hidden, labels = torch.ones(3, 2, 4), torch.zeros(3, 2, dtype=torch.long)
loss = loss_of(hidden.flatten(0, 1), labels.flatten()).loss
```

Message (torch 2.13; `flatten`):

```text
RuntimeError: 1D target tensor expects 2D input tensors, but found inputs with size torch.Size([3, 2, 4])
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Target values should be in \[0, (?P<last>\d+)\], but values in range \[(?P<low>-?\d+), (?P<high>-?\d+)\] were found",
    odds=0.97,
)
def a_class_outside(failure: Failure) -> Hits:
    last, low, high = (int(failure.groups[key]) for key in ("last", "low", "high"))
    yield failure.hit(
        f"the targets go from {low} to {high}, and there are {last + 1} classes, from 0 on: labels that are padding are left out before"
    )


SHAPES = "the loss takes a row of features and one class for each sample: hidden.flatten(0, 1), labels.flatten()"
pitfall.answers(
    {
        "cutoffs should be a sequence of ": "cutoffs say where the groups of classes end: increasing whole numbers from 1 to n_classes - 1, without the number of classes itself",
        "Input and target should have the same size in the batch": SHAPES,
        "1D target tensor expects 2D input tensors, but found inputs with size torch": SHAPES,
        "0D target tensor expects 1D input tensors, but found inputs with size torch": SHAPES,
    },
    odds=0.96,
)
