r"""The lengths given with padded sequences do not fit them.

`pack_padded_sequence` wants one length for each sequence, each at least 1, on the CPU, and in falling
order unless `enforce_sorted=False`. `ctc_loss` wants inputs that are at least as long as said, and
targets that are not longer than their inputs.

Cure: `enforce_sorted=False`, `lengths.cpu()`; leave out empty sequences; lengths of the model's output,
which is shorter than its input where it subsamples.

Bad:

```python
import torch
from torch.nn.utils.rnn import pack_padded_sequence

padded, lengths = torch.ones(3, 2, 1), torch.tensor([1, 3])
packed = pack_padded_sequence(padded, lengths)  # seen: `enforce_sorted=False`
```

Bad (an empty sequence):

```python
import torch
from torch.nn.utils.rnn import pack_padded_sequence

padded, lengths = torch.ones(3, 2, 1), torch.tensor([3, 0])
packed = pack_padded_sequence(padded, lengths)  # seen: `an empty sequence`
```

Bad (longer than the input):

```python
import torch
import torch.nn.functional as F

log_probs = torch.zeros(5, 1, 3).log_softmax(2)
lengths = torch.tensor([9]), torch.tensor([2])
loss = F.ctc_loss(log_probs, torch.ones(1, 2).long(), *lengths)  # seen: `9 is longer than 5`
```

Good:

```python
import torch
from torch.nn.utils.rnn import pack_padded_sequence

padded, lengths = torch.ones(3, 2, 1), torch.tensor([1, 3])
packed = pack_padded_sequence(padded, lengths, enforce_sorted=False)
```

Message (torch 2.4, CUDA):

```text
RuntimeError: 'lengths' argument should be a 1D CPU int64 tensor, but got 1D cuda:0 Long tensor
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"`lengths` array must be sorted in decreasing order when `enforce_sorted` is True", odds=0.97
)
def not_sorted(failure: Failure) -> Hits:
    yield failure.hit("the sequences are not sorted by length: enforce_sorted=False")


@pitfall.explains(r"Length of all samples has to be greater than 0", odds=0.97)
def an_empty_one(failure: Failure) -> Hits:
    yield failure.hit("an empty sequence is in the batch: leave it out before packing")


@pitfall.explains(
    r"Expected input_lengths to have value at most (?P<most>\d+), but got value (?P<came>\d+)",
    odds=0.97,
)
def longer_than_the_input(failure: Failure) -> Hits:
    came, most = failure.groups["came"], failure.groups["most"]
    yield failure.hit(
        f"a length of {came} is longer than {most}, the steps that the model gave out"
    )


@pitfall.explains(r"'lengths' argument should be a 1D CPU int64 tensor", odds=0.97)
def on_the_gpu(failure: Failure) -> Hits:
    yield failure.hit("the lengths belong on the CPU: lengths.cpu()")
