r"""Pruning gets an amount, a dimension or a mask that does not fit its weight.

An amount that is a float is a share, from 0 to 1; a whole number is a count of entries, no more than there are. Structured pruning takes
whole rows or channels, of which a bias has none. A mask has the shape of its weight. `global_unstructured` wants pairs
of a module and a name, and not parameters.

Cure: `amount=0.3` for a share; `[(layer, "weight") for layer in model.modules() if isinstance(layer, nn.Linear)]` for
`global_unstructured`; weights alone in structured pruning.

Bad (a share above one):

```python
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.l1_unstructured(layer, "weight", amount=30.0)  # seen: `30.0`
```

Bad (more than there are):

```python
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.l1_unstructured(layer, "weight", amount=30)  # seen: `12 entries`
```

Bad (rows of a bias):

```python
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.ln_structured(layer, "bias", amount=0.5, n=2, dim=0)  # seen: `[3]`
```

Bad (a mask of another shape):

```python
import torch
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.custom_from_mask(layer, "weight", torch.ones(4, 3))  # seen: `[3, 4]`
```

Bad (parameters, and not pairs):

```python
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.global_unstructured(layer.parameters(), prune.L1Unstructured, amount=0.2)  # seen: pairs
```

Bad (a share in words):

```python
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.l1_unstructured(layer, "weight", amount="0.3")  # seen: `0.3`
```

Bad (a dimension that is not there):

```python
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.ln_structured(layer, "weight", amount=0.5, n=2, dim=2)  # seen: `dimension 2`
```

Bad (a module in place of pairs):

```python
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.global_unstructured(layer, prune.L1Unstructured, amount=0.2)  # seen: pairs
```

Bad (scores of another shape):

```python
import torch
from torch import nn
from torch.nn.utils import prune

layer, scores = nn.Linear(4, 3), torch.ones(4, 3)
prune.l1_unstructured(layer, "weight", 0.3, importance_scores=scores)  # seen: scores
```

Good:

```python
import torch
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.l1_unstructured(layer, "weight", amount=0.3)
prune.ln_structured(layer, "weight", amount=0.5, n=2, dim=0)
prune.custom_from_mask(layer, "bias", torch.ones(3))
prune.global_unstructured([(layer, "weight")], prune.L1Unstructured, amount=0.2)
```

Bad (rows over the whole model):

```python
from torch import nn
from torch.nn.utils import prune

pairs = [(nn.Linear(4, 3), "weight")]
prune.global_unstructured(pairs, prune.LnStructured, amount=0.5, n=2, dim=0)  # seen: single entries
```

Bad (scores in a list):

```python
import torch
from torch import nn
from torch.nn.utils import prune

pairs = [(nn.Linear(4, 3), "weight")]
prune.global_unstructured(pairs, prune.L1Unstructured, [torch.ones(3, 4)], amount=0.5)  # seen: dict
```

Bad (a container of numbers):

```python
from torch.nn.utils import prune

both = prune.PruningContainer()
both.add_pruning_method(0.3)  # seen: `prune.L1Unstructured`
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"amount=(?P<amount>\S{1,30}) should either be a float in the range \[0, 1\] or a non-negative integer",
    odds=0.97,
)
def no_share(failure: Failure) -> Hits:
    yield failure.hit(
        f"an amount of {failure.groups['amount']} is neither a share from 0 to 1 nor a count"
    )


@pitfall.explains(
    r"amount=(?P<amount>\d+) should be smaller than the number of parameters to prune=(?P<all>\d+)",
    odds=0.97,
)
def more_than_there_are(failure: Failure) -> Hits:
    amount, there = failure.groups["amount"], failure.groups["all"]
    yield failure.hit(
        f"{amount} of {there} entries are to be pruned: a float is a share, amount=0.3"
    )


@pitfall.explains(
    r"Structured pruning can only be applied to multidimensional tensors\. Found tensor of shape torch\.Size\((?P<shape>\[[\d, ]*\])\)",
    odds=0.97,
)
def without_rows(failure: Failure) -> Hits:
    yield failure.hit(
        f"a tensor of shape {failure.groups['shape']} has no rows to take out: prune the weight"
    )


@pitfall.explains(
    r"default_mask shape torch\.Size\((?P<wants>\[[\d, ]*\])\) must match self\.mask shape torch\.Size\((?P<came>\[[\d, ]*\])\)",
    odds=0.97,
)
def mask_of_another_shape(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"the mask is {came} and its weight {wants}")


@pitfall.explains(r"(?:too many|not enough) values to unpack \(expected 2", odds=0.95)
def no_pairs(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/utils/prune.py"):
        yield failure.hit(
            "global_unstructured takes pairs of a module and a name: (layer, 'weight')"
        )


pitfall.answers(
    {
        "parameters is not an Iterable": "global_unstructured takes pairs of a module and a name: [(layer, 'weight')]",
        'Only "unstructured" PRUNING_TYPE supported': "over a whole model single entries are ranked: prune.L1Unstructured or RandomUnstructured, and ln_structured layer by layer",
        "importance_scores must be of type dict": "the scores are a dict, of pairs (layer, 'weight') and a tensor each",
        "is not a BasePruningMethod subclass": "a container holds objects of pruning methods: prune.L1Unstructured(amount=0.3)",
        "importance_scores should have the same shape": "the scores have another shape than what they are to rank",
    },
    odds=0.96,
)


@pitfall.explains(
    r"Invalid type for amount: (?P<amount>.{1,60}?)\. Must be int or float", odds=0.97
)
def no_number(failure: Failure) -> Hits:
    yield failure.hit(f"the amount {failure.groups['amount']} is no number: a float or an int")


@pitfall.explains(
    r"Invalid index (?P<dim>-?\d+) for tensor of size torch\.Size\((?P<shape>\[[\d, ]*\])\)",
    odds=0.95,
)
def no_such_dimension(failure: Failure) -> Hits:
    dim, shape = failure.groups["dim"], failure.groups["shape"]
    yield failure.hit(
        f"dimension {dim} is to be pruned of a tensor of shape {shape}: 0 are outputs, 1 inputs"
    )
