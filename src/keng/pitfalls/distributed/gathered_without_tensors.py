r"""What the processes are to gather is not tensors of one shape.

`accelerator.gather`, `pad_across_processes` and loaders that read for all processes send tensors, in lists, tuples and dictionaries. A `None`, a string or a number among
what a model returns or a collate function makes cannot be sent. The tensors of all processes have the same shape except where `gather_for_metrics` cuts the last batch:
sequences that were padded to the longest of their own batch differ, and without `ACCELERATE_DEBUG_MODE=1` the processes then hang instead of saying so.

Cure: gather what is a tensor, `outputs.logits` in place of `outputs`; `accelerate.utils.gather_object` for strings and numbers;
`accelerator.pad_across_processes(x, dim=1, pad_index=...)` before; leave strings out of batches, or `dispatch_batches=False`.

Bad:

```python
import torch
from accelerate.utils.operations import recursively_apply

recursively_apply(torch.neg, {"loss": None}, error_on_other_type=True)
```

Good:

```python
import torch
from accelerate.utils.operations import recursively_apply

recursively_apply(torch.neg, {"loss": torch.ones(1)}, error_on_other_type=True)
```

Message (accelerate 0.20 to 1.12; `gather_object`):

```text
TypeError: Unsupported types (<class 'NoneType'>) passed to `_gpu_gather_one`. Only nested list/tuple/dicts of objects that are valid for `is_torch_tensor` should be passed.
```

Message (accelerate 0.5 to 0.19; `is str`):

```text
TypeError: Can't apply _gpu_gather_one on object of type <class 'str'>, only of nested list/tuple/dicts of objects that satisfy is_torch_tensor.
```

Message (accelerate 0.5 to 0.19, of tpu and pad; `is str`):

```text
TypeError: Can't pad the values of type <class 'str'>, only of nested list/tuple/dicts of tensors.
```

Message (accelerate 0.5 to 1.12; `is str`):

```text
TypeError: Can only concatenate tensors but got <class 'str'>
```

Message (accelerate 0.5 to 1.12; `is NoneType`):

```text
TypeError: Can only find the batch size of tensors but got <class 'NoneType'>.
```

Message (accelerate 0.20 to 1.12; `pad_across_processes`):

```text
accelerate.utils.operations.DistributedOperationException: Cannot apply desired operation due to shape mismatches. All shapes across devices must be valid.

Operation: `accelerate.utils.operations.gather`
Input shapes:
  - Process 0: [8, 128]
  - Process 1: [8, 117]
```

Message (accelerate 0.22; `pad_across_processes`):

```text
accelerate.utils.operations.DistributedOperationException: Impossible to apply the desired operation due to inadequate shapes. All shapes on the devices must be valid.
```

Message (accelerate 0.22 to 1.12; `.to(`):

```text
accelerate.utils.operations.DistributedOperationException: One or more of the tensors passed to accelerate.utils.operations.gather were not on the cuda while the `Accelerator` is configured for cuda. Please move it to the cuda before calling accelerate.utils.operations.gather.
```

Message (accelerate; `no batch`):

```text
ValueError: Batch does not contain any data (`None`). At the end of all iterable data available before expected stop iteration.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import accelerate")


@pitfall.explains(
    r"Unsupported types \(<class '(?P<what>[\w.]{1,80})'>\) passed to `\w{1,60}`\. Only nested list/tuple/dicts",
    r"Can't (?:apply \w{1,60} on object|pad the values) of type <class '(?P<what>[\w.]{1,80})'>, only of nested list/tuple/dicts",
    r"Can only (?:concatenate|find the batch size of) tensors but got <class '(?P<what>[\w.]{1,80})'>",
    odds=0.95,
)
def no_tensor(failure: Failure) -> Hits:
    what = failure.groups["what"].rpartition(".")[2]
    yield failure.hit(
        f"accelerate sends tensors, and one of what it is given is {what}: outputs.logits in place of outputs, gather_object for the rest, "
        "no strings in batches"
    )


pitfall.answers(
    {
        "operation due to shape mismatches. All shapes across devices": "the processes gather tensors of different shapes: accelerator.pad_across_processes(x, dim=1) before",
        "due to inadequate shapes. All shapes on the devices": "the processes gather tensors of different shapes: accelerator.pad_across_processes(x, dim=1) before",
        "Batch does not contain any data (`None`)": "rank 0 reads for all and its loader gave no batch: the stream is empty or at its end, or with drop_last has fewer batches than processes",
        "while the `Accelerator` is configured for": "a tensor to gather lies elsewhere than the Accelerator: x.to(accelerator.device)",
    },
    odds=0.96,
)
