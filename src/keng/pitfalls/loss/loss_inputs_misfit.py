r"""A loss gets targets or weights that do not fit its input.

Losses of pairs and margins have rules of their own. `CosineEmbeddingLoss` compares rows, (N, features), and takes one target, 1 or -1, for each; `MultiMarginLoss` takes
scores (N, C) and class numbers (N), with a `weight` for each class; `MultiLabelMarginLoss` takes rows as long as the scores: the numbers of the classes that apply, then -1
to the end. A `weight` of `mse_loss` has one number for each element, and `AdaptiveLogSoftmaxWithLoss` one target for each row.

Cure: bring the input to (N, C), as `scores.flatten(0, -2)` does; print the shapes of all that the loss is given.

Bad (vectors for rows):

```python
import torch
from torch import nn

a, b, alike = torch.ones(4), torch.ones(4), torch.ones(1)
loss = nn.CosineEmbeddingLoss()(a, b, alike)  # seen: `a target for each row`
```

Bad (weights for other classes):

```python
import torch
from torch import nn

scores, labels = torch.ones(3, 4), torch.tensor([0, 1, 2])
loss = nn.MultiMarginLoss(weight=torch.ones(3))(scores, labels)  # seen: `4 classes`
```

Bad (a class that is none):

```python
import torch
from torch import nn

scores, labels = torch.ones(3, 4), torch.tensor([0, 1, 4])
loss = nn.MultiMarginLoss()(scores, labels)  # seen: `0 to C - 1`
```

Bad (a weight for each column):

```python
import torch
import torch.nn.functional as F

made, wanted = torch.ones(3, 2), torch.zeros(3, 2)
loss = F.mse_loss(made, wanted, weight=torch.ones(2))  # seen: `expand_as`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

loss = nn.CosineEmbeddingLoss()(torch.ones(1, 4), torch.ones(1, 4), torch.ones(1))
scores, labels = torch.ones(3, 4), torch.tensor([0, 1, 2])
loss = nn.MultiMarginLoss(weight=torch.ones(4))(scores, labels)
made, wanted = torch.ones(3, 2), torch.zeros(3, 2)
loss = F.mse_loss(made, wanted, weight=torch.ones(2).expand_as(made))
```

Message (torch 2.13; `one target for two vectors`):

```text
RuntimeError: 0D target tensor expects 1D input tensors, but found inputs with sizes [3, 4] and [3, 4].
```

Message (torch 2.13, of an nn.MultiLabelMarginLoss):

```text
RuntimeError: argument #2 'target' is out of range
```

Message (torch 2.13):

```text
RuntimeError: Expected non-empty vector or matrix with optional 0-dim batch size, but got: [3, 4, 5]
```

Message (torch 2.13):

```text
ValueError: MultiMarginLoss: expected weight to be None or 1D tensor, got 2D instead
```

Message (torch 2.13, of F.nll_loss):

```text
ValueError: Expected 1 or more dimensions (got 0)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?P<target>[01])D target tensor expects [12]D input tensors, but found inputs with sizes (?P<sizes>\[[\d, ]*\] and \[[\d, ]*\])",
    odds=0.97,
)
def pairs_of_others(failure: Failure) -> Hits:
    wants = "one target for two vectors"
    if failure.groups["target"] == "1":
        wants = "a target for each row of (N, features)"
    yield failure.hit(f"this loss takes {wants}, and the inputs are {failure.groups['sizes']}")


@pitfall.explains(
    r"inconsistent weight size, expected (?P<wants>\d+) but got \[(?P<came>[\d, ]*)\]", odds=0.97
)
def weights_for_other_classes(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"`weight` has the shape ({came}), and the scores have {wants} classes")


@pitfall.explains(r"(?:^|Error: )target out of range$", odds=0.97)
def no_such_class(failure: Failure) -> Hits:
    if any(frame.function == "multi_margin_loss" for frame in failure.frames):
        yield failure.hit("a label is no class number: they run from 0 to C - 1, as scores (N, C)")


@pitfall.explains(r"(?:^|Error: )Weights and input must have the same size", odds=0.97)
def weights_of_elements(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/functional.py"):
        yield failure.hit(
            "`weight` of this loss has one number for each element: weight.expand_as(input)"
        )


pitfall.answers(
    {
        "argument #2 'target' is out of range": "a row of targets holds class numbers, 0 to C - 1, and then -1 to its end",
        "Expected non-empty vector or matrix with optional 0-dim": "this loss takes scores (N, C) or (C): scores.flatten(0, -2) for more dimensions",
        "expected weight to be None or 1D tensor": "`weight` has one number for each class: weight.flatten()",
        "Expected 1 or more dimensions (got 0)": "the scores are a single number: (N, C), or (C) for one sample",
    },
    odds=0.96,
)
