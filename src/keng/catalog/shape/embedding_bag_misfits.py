r"""The bags of an embedding, or the table that it looks up, do not fit.

`nn.EmbeddingBag` looks up and reduces in one step. A matrix of indices has a bag in each row; one row of indices is divided by `offsets`, where each bag begins,
from 0 on. Weights of single entries, `per_sample_weights`, are for `mode="sum"`, one for each index; `mode="max"` knows neither them, nor sparse gradients, nor a scale
by frequency. A table that is given, `from_pretrained`, is a matrix, a row for each index.

Cure: `offsets=torch.tensor([0, 3, 5])` beside one row; `mode="sum"` where entries are weighted; the table as it is, `(num_embeddings, embedding_dim)`.

Bad (weights of a mean):

```python
import torch
from torch import nn

words = torch.zeros(2, 2, dtype=torch.long)
y = nn.EmbeddingBag(3, 4)(words, per_sample_weights=torch.ones(2, 2))  # seen: `mean`
```

Bad (weights of another shape):

```python
import torch
from torch import nn

words = torch.zeros(2, 2, dtype=torch.long)
y = nn.EmbeddingBag(3, 4, mode="sum")(words, per_sample_weights=torch.ones(2, 3))  # seen: `[2, 3]`
```

Bad (rows and offsets):

```python
import torch
from torch import nn

words = torch.zeros(2, 2, dtype=torch.long)
y = nn.EmbeddingBag(3, 4)(words, torch.tensor([0]))  # seen: `flatten()`
```

Bad (a maximum with sparse gradients):

```python
import torch
from torch import nn

words = torch.zeros(2, 2, dtype=torch.long)
y = nn.EmbeddingBag(3, 4, mode="max", sparse=True)(words)  # seen: `max`
```

Bad (a vector for a table):

```python
import torch
from torch import nn

table = nn.Embedding.from_pretrained(torch.ones(300))  # seen: `matrix`
```

Bad (a table of another size):

```python
import torch
from torch import nn

table = nn.Embedding(3, 4, _weight=torch.ones(4, 4))  # seen: `num_embeddings`
```

Bad (padding behind the table):

```python
import torch
from torch import nn

table = nn.Embedding(10, 4, padding_idx=10)  # seen: `num_embeddings - 1`
```

Good:

```python
import torch
from torch import nn

words = torch.zeros(2, 2, dtype=torch.long)
y = nn.EmbeddingBag(3, 4, mode="sum")(words, per_sample_weights=torch.ones(2, 2))
z = nn.EmbeddingBag(3, 4)(words.flatten(), torch.tensor([0, 2]))
table = nn.Embedding.from_pretrained(torch.ones(10, 4), padding_idx=9)
```

Message (torch 2.13; `sum, mean`):

```text
ValueError: mode has to be one of sum, mean or max
```

Message (torch 2.13; `vector`):

```text
ValueError: offsets has to be a 1D Tensor
```

Message (torch 1.0 to 2.13; `input, weight`):

```text
UserWarning: Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is deprecated, and should now be `embedding_bag(input, weight, ...)`.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"per_sample_weights is only supported for mode='sum' \(got mode='(?P<mode>\w+)'\)", odds=0.97
)
def weighted_without_a_sum(failure: Failure) -> Hits:
    yield failure.hit(
        f"weights of single entries are for mode='sum', and this bag has mode='{failure.groups['mode']}'"
    )


@pitfall.explains(
    r"If per_sample_weights \(torch\.Size\((?P<came>\[[\d, ]*\])\)\) is not None, then it must have the same shape as the input "
    r"\(torch\.Size\((?P<wants>\[[\d, ]*\])\)\)",
    odds=0.97,
)
def weights_of_others(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(f"per_sample_weights is {came}, and the indices are {wants}: one weight each")


MAX = "mode='max' takes no gradients that are sparse or scaled: without sparse= and scale_grad_by_freq=, or mode='sum'"
MATRIX = "the table is a matrix, a row for each index: (num_embeddings, embedding_dim)"
pitfall.answers(
    {
        "if input is 2D, then offsets has to be None": "rows are bags already: without offsets=, or the indices as one row, flatten()",
        "max mode does not support sparse": MAX,
        "max mode does not support scaling": MAX,
        "mode has to be one of sum, mean or max": "an EmbeddingBag has mode='sum', 'mean' or 'max': one of sum, mean, max",
        "Embeddings parameter is expected to be 2-dimensional": MATRIX,
        "weight has to be a 2D Tensor, but got Tensor of dimension": MATRIX,
        "Shape of weight does not match num_embeddings and": "the table that is given has another size than (num_embeddings, embedding_dim): from_pretrained(table) asks for neither",
        "adding_idx must be within num_embeddings": "padding_idx is a row of the table, from 0 to num_embeddings - 1: an entry more for the padding, or its own index",
        "Argument order of nn.functional.embedding_bag was": "the indices come first, then the table: embedding_bag(input, weight)",
    },
    odds=0.96,
)


@pitfall.explains(r"offsets has to be a 1D Tensor$", odds=0.96)
def offsets_of_more_dimensions(failure: Failure) -> Hits:
    yield failure.hit("offsets are a vector of where each bag begins: flatten() them")
