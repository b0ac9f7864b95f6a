r"""`linear_cross_entropy` gets features, weights and labels that do not fit.

Since 2.13 `F.linear_cross_entropy(input, linear_weight, target)` is the last layer and the loss in one, in chunks where `options` are given, so that the scores
of a large vocabulary never stand in memory at once. The input is features and no scores, with one dimension or two, and the weight is that of
`nn.Linear`: `(classes, features)`. Options are left aside, with a warning, for smoothed labels, probabilities and traces.

Cure: `hidden.flatten(0, 1)` and `labels.flatten()` for sequences; `head.weight` as it is, not transposed; everything after the third argument by its name
(`linear_bias=`, `weight=`).

Bad (sequences):

```python
import torch
import torch.nn.functional as F

hidden, head = torch.rand(2, 5, 8), torch.nn.Linear(8, 10)
labels = torch.randint(0, 10, (2, 5))
loss = F.linear_cross_entropy(hidden, head.weight, labels)  # seen: flatten
```

Good:

```python
import torch
import torch.nn.functional as F

hidden, head = torch.rand(2, 5, 8), torch.nn.Linear(8, 10)
labels = torch.randint(0, 10, (2, 5))
loss = F.linear_cross_entropy(hidden.flatten(0, 1), head.weight, labels.flatten())
```

Bad (a weight that is transposed):

```python
import torch
import torch.nn.functional as F

hidden, head = torch.rand(4, 8), torch.nn.Linear(8, 10)
labels = torch.randint(0, 10, (4,))
loss = F.linear_cross_entropy(hidden, head.weight.T, labels)  # seen: 8
```

Message (torch 2.13; `(3,)`):

```text
RuntimeError: expected linear_bias shape (10,), got (3,)
```

Message (torch 2.13; `by its name`):

```text
TypeError: linear_cross_entropy() takes 3 positional arguments but 4 were given
```

Message (torch 2.13; `ignore_index`):

```text
RuntimeError: ignore_index cannot be specified when target contains probabilities
```

Message (torch 2.13; `retain_graph`):

```text
RuntimeError: linear_cross_entropy chunked backward called twice; retain_graph=True / double backward are not supported.
```

Bad (a vector of weights):

```python
import torch
import torch.nn.functional as F

hidden, labels = torch.ones(2, 3), torch.zeros(2).long()
loss = F.linear_cross_entropy(hidden, torch.ones(3), labels)  # seen: `(classes, features)`
```

Bad (one sample of many classes):

```python
import torch
import torch.nn.functional as F

hidden, labels = torch.ones(3), torch.zeros(4).long()
loss = F.linear_cross_entropy(hidden, torch.ones(5, 4, 3), labels)  # seen: `unsqueeze(0)`
```

Message (torch 2.13; `reduction`):

```text
UserWarning: linear_cross_entropy: ``options`` ignored; chunked path needs reduction in {'mean','sum','none'}, label_smoothing == 0, target.dtype == int64, out_features == (). Got reduction=mean, label_smoothing=0.1, target.dtype=torch.int64, out_features=(), tracing=False, linear_weight.is_contiguous=True.
```

Message (torch 2.13; `requires_grad`):

```text
RuntimeError: linear_cross_entropy chunked op: compute_input_grad was False at trace time but input.requires_grad is True at runtime; recompile the graph with the desired requires_grad.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"expected input with dimensionality 1 or 2, got (?P<count>\d+)", odds=0.95)
def not_flat(failure: Failure) -> Hits:
    yield failure.hit(
        f"the features have {failure.groups['count']} dimensions: hidden.flatten(0, 1), and labels.flatten()"
    )


@pitfall.explains(
    r"expected equal input and linear_weight last dimensions \(in_features\), got (?P<features>\d+) and (?P<weight>\d+)",
    odds=0.97,
)
def features_differ(failure: Failure) -> Hits:
    features, weight = failure.groups["features"], failure.groups["weight"]
    yield failure.hit(
        f"the input has {features} features, and the weight is for {weight}: the layer's weight as it is, (classes, features)"
    )


@pitfall.explains(
    r"expected linear_bias shape (?P<wants>\([\d, ]{1,60}\)), got (?P<got>\([\d, ]{0,60}\))",
    odds=0.97,
)
def bias_differs(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(f"linear_bias has shape {got}, and the weight has classes for {wants}")


pitfall.answers(
    {
        "linear_cross_entropy() takes 3 positional": "only input, linear_weight and target go by position: each other by its name, as linear_bias= and weight=",
        "ignore_index cannot be specified when target contains": "the target has the shape of the scores, and is read as probabilities: class numbers, or no ignore_index",
        "expected linear_weight with dimensionality at least 2": "the weight is that of the last layer, a matrix (classes, features)",
        "K-dimensional loss defined by linear_weight shape": "with several classes for each sample the input has a batch: hidden.unsqueeze(0)",
        "linear_cross_entropy: ``options`` ignored": "options= saves no memory here, as the loss is not cut into pieces: no label_smoothing, labels of int64 and a usual reduction allow for it",
        "at runtime; recompile the graph with the desired requires_grad": "the graph was traced where this needed no gradient: trace or compile it again with the requires_grad of now",
        "linear_cross_entropy chunked backward called": "the gradient was computed with the loss and is used up: one backward(), without retain_graph, or options=None",
    },
    odds=0.96,
)
