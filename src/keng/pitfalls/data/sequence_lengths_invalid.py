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

Bad (one too many; `3 for 2`):

```python
import torch
from torch.nn.utils.rnn import pack_padded_sequence

packed = pack_padded_sequence(torch.ones(2, 3, 4), [3, 2, 1], batch_first=True)  # seen: 2 sequences
```

Bad (of CTC):

```python
import torch
import torch.nn.functional as F

scores, targets = torch.zeros(5, 2, 3), torch.ones(2, 3, dtype=torch.long)
inputs, lengths = torch.tensor([5, 5, 5]), torch.tensor([3, 3])
loss = F.ctc_loss(scores, targets, inputs, lengths)  # seen: 2 sequences
```

Bad (targets joined to another length):

```python
import torch
import torch.nn.functional as F

scores = torch.zeros(5, 2, 4).log_softmax(2)
targets, lengths = torch.ones(5, dtype=torch.long), torch.tensor([3, 3])
loss = F.ctc_loss(scores, targets, torch.tensor([5, 5]), lengths)  # seen: `6 are wanted`
```

Bad (lengths of two dimensions):

```python
import torch
from torch.nn.utils.rnn import pack_padded_sequence

lengths = torch.tensor([[5], [3]])
packed = pack_padded_sequence(torch.ones(5, 2, 3), lengths)  # seen: `lengths.flatten()`
```

Bad (lengths that are no whole numbers; `lengths.long()`):

```python
import torch
from torch.nn.functional import ctc_loss

scores, targets = torch.zeros(5, 2, 4), torch.ones(2, 3, dtype=torch.long)
steps, lengths = torch.tensor([5.0, 4.0]), torch.tensor([3, 2])
loss = ctc_loss(scores, targets, steps, lengths)  # seen: `lengths.long()`
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

Message (torch 2.13; `1 length for a batch of 2`):

```text
RuntimeError: Expected `len(lengths)` to be equal to batch_size, but got 1 (batch_size=2)
```

Message (torch 2.13; `3`):

```text
RuntimeError: Expected tensor to have size at least 3 at dimension 1, but got size 2 for argument #2 'targets' (while checking arguments for ctc_loss_allocate_outputs)
```

Message (torch 2.13; `total_length`):

```text
ValueError: Expected total_length to be at least the length of the longest sequence in input, but got total_length=3 and max sequence length being 5
```

Message (torch before 1.0; `the longest first`):

```text
ValueError: lengths array has to be sorted in decreasing order
```

Message (torch 1.0; `from 1.1 on`):

```text
RuntimeError: 'lengths' array has to be sorted in decreasing order
```

Message (an older torch; `empty sequence`):

```text
ValueError: length of all samples has to be greater than 0, but found an element in 'lengths' that is <=0
```

Message (torch 0.1 to 0.3; `splits no lists`):

```text
ValueError: lengths array has incorrect size
```

Message (torch 1.1 to 2.13):

```text
RuntimeError: target_lengths must be integral
```

Message (torch 2.13):

```text
RuntimeError: Expected target_lengths to have value at least 0, but got value -3 (while checking arguments for ctc_loss_allocate_outputs)
```

Message (torch 2.13):

```text
RuntimeError: Expected input_lengths to have value at least 0, but got value -1 (while checking arguments for ctc_loss_allocate_outputs)
```

Message (torch 1.0 to 2.13; `no lists`):

```text
Traceback (most recent call last):
  File "/env/lib/python3.11/site-packages/torch/nn/parallel/data_parallel.py", line 193, in forward
    outputs = self.parallel_apply(replicas, inputs, module_kwargs)
  File "/work/model.py", line 40, in forward
    packed = pack_padded_sequence(x, lengths, batch_first=True)
RuntimeError: Expected `len(lengths)` to be equal to batch_size, but got 8 (batch_size=4)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Expected input_lengths to have value at most (?P<most>\d+), but got value (?P<came>\d+)",
    odds=0.97,
)
def longer_than_the_input(failure: Failure) -> Hits:
    came, most = failure.groups["came"], failure.groups["most"]
    cure = "the network's steps, shorter than its input, and scores of shape (T, N, C), the batch second"
    yield failure.hit(f"a length of {came} is longer than {most}, the steps that came out: {cure}")


@pitfall.explains(
    r"'lengths' argument should be a 1D CPU int64 tensor, but got (?P<came>\d)D (?P<device>[\w:]+) (?P<dtype>\w+)",
    odds=0.97,
)
def of_another_kind(failure: Failure) -> Hits:
    cures = {
        "of one dimension: lengths.flatten()": failure.groups["came"] != "1",
        "on the CPU: lengths.cpu()": failure.groups["device"] != "cpu",
        "whole numbers: lengths.long()": failure.groups["dtype"] != "Long",
    }
    yield failure.hit(f"the lengths are to be {', '.join(cure for cure in cures if cures[cure])}")


@pitfall.explains(
    r"Expected `len\(lengths\)` to be equal to batch_size, but got (?P<came>\d+) \(batch_size=(?P<batch>\d+)\)",
    odds=0.97,
)
def another_number_of_lengths(failure: Failure) -> Hits:
    came, batch = failure.groups["came"], failure.groups["batch"]
    there = "there is 1 length" if came == "1" else f"there are {came} lengths"
    cure = "one for each, and batch_first=True where the batch comes first"
    if failure.shows("parallel/data_parallel.py"):
        cure = "DataParallel splits tensors, no lists: lengths as a tensor, and lengths.cpu() where it is packed"
    yield failure.hit(f"{there} for a batch of {batch}: {cure}")


@pitfall.explains(
    r"Expected tensor to have size at least (?P<wants>\d+) at dimension 1, but got size (?P<came>\d+) ?for argument #2 'targets'",
    odds=0.96,
)
def longer_than_the_targets(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"a target length of {wants} is longer than the targets, which have {came} places: len() of each as it is encoded and cut, before it is padded"
    )


@pitfall.explains(
    r"Expected tensor to have size (?P<wants>\d+) at dimension 0, but got size (?P<came>\d+) for argument #2 'targets'",
    odds=0.96,
)
def joined_to_another_length(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"there are {came} targets, and {wants} are wanted: a row for each sequence, or, in one dimension, as many as the lengths sum to"
    )


@pitfall.explains(r"(?P<what>input|target)_lengths must be of size batch_size", odds=0.96)
def not_one_for_each(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is not one of the {failure.groups['what']}_lengths for each sequence: made from this batch, as the last may be smaller, and scores of shape (T, N, C), the batch second"
    )


pitfall.answers(
    {
        "lengths array has incorrect size": "there is not one length for each sequence: batch_first=True where the batch comes first, and a tensor of them under DataParallel, which splits no lists",
        "ength of all samples has to be greater than 0": "an empty sequence is in the batch: leave it out before packing",
        "Expected total_length to be at least the length of": "total_length is shorter than the longest sequence: give the length before packing",
        "_lengths must be integral": "the lengths are whole numbers: lengths.long()",
        "array must be sorted in decreasing order when `enforce_sorted`": "the sequences are not sorted by length: enforce_sorted=False",
        "array has to be sorted in decreasing order": "the sequences are not sorted by length: the longest first, or a torch from 1.1 on, which takes enforce_sorted=False",
        "Expected input_lengths to have value at least 0": "a length of the input is below zero: see where it is computed",
        "Expected target_lengths to have value at least 0": "a length of a target is below zero: see where it is computed",
    },
    odds=0.97,
)
