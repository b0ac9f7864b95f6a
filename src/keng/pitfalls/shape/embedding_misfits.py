r"""An embedding gets bags, weights or a table that do not fit it.

`nn.EmbeddingBag` takes the indices of all bags in one row, and `offsets`: where in it each bag begins, so the first one is 0 and none lies behind the
end. What a text gives are lengths, mostly. `per_sample_weights` has a weight for each index and goes with `mode="sum"`; `mode="max"` knows neither sparse
gradients nor those scaled by frequency. A table that is given is (words, features).

Cure: `lengths.cumsum(0) - lengths` are the offsets of bags with these lengths; `nn.Embedding.from_pretrained(table)` takes its sizes from the table.

Bad (lengths for offsets):

```python
import torch
from torch import nn

bags, words, lengths = nn.EmbeddingBag(9, 4), torch.tensor([1, 2, 5]), torch.tensor([2, 1])
mean = bags(words, lengths)  # seen: `cumsum`
```

Bad (a mean with weights):

```python
import torch
from torch import nn

bags, words = nn.EmbeddingBag(9, 4), torch.tensor([1, 2, 5])
mean = bags(words, torch.tensor([0]), per_sample_weights=torch.ones(3))  # seen: `not 'mean'`
```

Bad (a table of another size):

```python
import torch
from torch import nn

table = torch.ones(8, 4)
words = nn.Embedding(9, 4, _weight=table)  # seen: `from_pretrained`
```

Good:

```python
import torch
from torch import nn

words, lengths = torch.tensor([1, 2, 5]), torch.tensor([2, 1])
mean = nn.EmbeddingBag(9, 4)(words, lengths.cumsum(0) - lengths)
mean = nn.EmbeddingBag(9, 4, mode="sum")(words, torch.tensor([0]), torch.ones(3) / 3)
words = nn.Embedding.from_pretrained(torch.ones(8, 4))
```

Message (torch 2.13; `begin at 5`):

```text
RuntimeError: offsets[-1] can not be greater than input's length 3 but got offsets[-1] of 5
```

Message (torch 2.13; `[2]`):

```text
ValueError: embedding_bag: If per_sample_weights (torch.Size([2])) is not None, then it must have the same shape as the input (torch.Size([3]))
```

Message (torch 2.13):

```text
ValueError: max mode does not support scaling the gradient by the frequency
```

Message (torch 2.13):

```text
ValueError: max mode does not support sparse weights
```

Message (torch 2.13):

```text
AssertionError: Embeddings parameter is expected to be 2-dimensional
```

Message (torch 2.13; `is 5`):

```text
RuntimeError: embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be 5
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"offsets\[0\] has to be 0, i\.e\., the first sequence in the mini-batch has to start from position 0\. However, got (?P<came>-?\d+)",
    odds=0.97,
)
def lengths_for_offsets(failure: Failure) -> Hits:
    yield failure.hit(
        f"offsets say where each bag begins, and the first is {failure.groups['came']} and not 0: of lengths, lengths.cumsum(0) - lengths"
    )


@pitfall.explains(
    r"offsets\[-1\] can not be greater than input's length (?P<length>\d+) but got offsets\[-1\] of (?P<came>\d+)",
    odds=0.97,
)
def behind_the_end(failure: Failure) -> Hits:
    length, came = failure.groups["length"], failure.groups["came"]
    yield failure.hit(f"the last bag would begin at {came}, and there are {length} indices")


@pitfall.explains(
    r"per_sample_weights is only supported for mode='sum' \(got mode='(?P<mode>\w{1,20})'\)",
    odds=0.97,
)
def weights_without_a_sum(failure: Failure) -> Hits:
    yield failure.hit(
        f"weights of samples go with mode='sum', not '{failure.groups['mode']}': weights that sum to 1 give a mean"
    )


@pitfall.explains(
    r"per_sample_weights \(torch\.Size\((?P<came>\[[\d, ]*\])\)\) is not None, then it must have the same shape as the input "
    r"\(torch\.Size\((?P<wants>\[[\d, ]*\])\)\)",
    odds=0.97,
)
def weights_of_another_shape(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(f"each index has a weight: the indices are {wants}, and the weights {came}")


@pitfall.explains(
    r"Expected idx >= 0 && idx < num_embeddings but found idx to be (?P<came>-?\d+)", odds=0.97
)
def outside_the_table(failure: Failure) -> Hits:
    yield failure.hit(
        f"an index is {failure.groups['came']}, which is no row of the table: num_embeddings, or other indices"
    )


pitfall.answers(
    {
        "max mode does not support scaling the gradient by": "a maximum comes of one row alone: without scale_grad_by_freq",
        "max mode does not support sparse weights": "mode='max' has no sparse gradients: sparse=False",
        "Shape of weight does not match num_embeddings and": "the table is not (num_embeddings, embedding_dim): nn.Embedding.from_pretrained(table) takes its sizes",
        "Embeddings parameter is expected to be 2-dimensional": "a table is (words, features): vector.unsqueeze(0) is one of a single word",
    },
    odds=0.96,
)
