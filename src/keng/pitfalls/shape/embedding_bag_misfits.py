r"""The bags of an embedding, or the table that it looks up, do not fit.

`nn.EmbeddingBag` looks up and reduces in one step, by a sum, a mean or a maximum. A matrix of indices has a bag in each row; one row of
indices is divided by `offsets`, where each bag begins, from 0 on. The table is a matrix, a row for each index, and the padding is one of its rows.

Cure: `offsets=torch.tensor([0, 3, 5])` beside one row; the table as it is, `(num_embeddings, embedding_dim)`.

Bad (rows and offsets):

```python
import torch
from torch import nn

words = torch.zeros(2, 2, dtype=torch.long)
y = nn.EmbeddingBag(3, 4)(words, torch.tensor([0]))  # seen: `flatten()`
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

Message (torch 2.13; `matrix`):

```text
ValueError: weight has to be a 2D Tensor, but got Tensor of dimension 1
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

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


pitfall.answers(
    {
        "if input is 2D, then offsets has to be None": "rows are bags already: without offsets=, or the indices as one row, flatten()",
        "mode has to be one of sum, mean or max": "an EmbeddingBag has mode='sum', 'mean' or 'max': one of sum, mean, max",
        "weight has to be a 2D Tensor, but got Tensor of dimension": "the table is a matrix, a row for each index: (num_embeddings, embedding_dim)",
        "adding_idx must be within num_embeddings": "padding_idx is a row of the table, from 0 to num_embeddings - 1: an entry more for the padding, or its own index",
        "Argument order of nn.functional.embedding_bag was": "the indices come first, then the table: embedding_bag(input, weight)",
    },
    odds=0.96,
)


@pitfall.explains(r"offsets has to be a 1D Tensor$", odds=0.96)
def offsets_of_more_dimensions(failure: Failure) -> Hits:
    yield failure.hit("offsets are a vector of where each bag begins: flatten() them")
