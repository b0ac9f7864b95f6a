r"""An operation is given nothing.

A list of results, of a loop that never ran or of a filter that let nothing through, is empty, and `torch.cat` or
`torch.stack` cannot know what shape and dtype nothing has. So it is with the largest of no numbers. The cause is mostly
further up: a wrong folder, no object found in this image, a class without samples.

Cure: look why nothing came; where that may happen, say what nothing is: `if results:`, or
`torch.zeros(0, 4)` as the first of the list.

Bad (no file has this name):

```python
import torch
from pathlib import Path

features = [torch.load(path) for path in Path("no-such-folder").glob("*.pt")]
bank = torch.cat(features)  # seen: the list is empty
```

Bad (nothing is sure enough; `has no elements`):

```python
import torch

scores = torch.tensor([0.1, 0.2])
best = scores[scores > 0.5].max()  # seen: no score is left
```

Bad (no sequences; `pad_sequence`):

```python
from torch.nn.utils.rnn import pad_sequence

batch = pad_sequence([], batch_first=True)  # seen: no sequence came
```

Good:

```python
import torch

scores = torch.tensor([0.1, 0.2])
sure = scores[scores > 0.5]
best = sure.max() if len(sure) else None
boxes = torch.cat([torch.zeros(0, 4), *[torch.ones(1, 4) for score in sure]])
```

Message (torch 1.5 to 1.9):

```text
RuntimeError: There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback function is registered for schema aten::_cat.  This usually means that this function requires a non-empty list of Tensors.  Available functions are [CPU, CUDA, QuantizedCPU, BackendSelect]
```

Message (torch 1.13 to 2.12):

```text
RuntimeError: torch.cat(): expected a non-empty list of Tensors
```

Message (torch 1.0 to 2.13; `torch.stack`):

```text
RuntimeError: stack expects a non-empty TensorList
```

Message (torch 1.2; `has no elements`):

```text
RuntimeError: invalid argument 1: cannot perform reduction function max on tensor with no elements because the operation does not have an identity at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:335
```

Message (torch 1.5 to 2.13; `no elements`):

```text
RuntimeError: cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified dimension size -1 can be any value and is ambiguous
```

Message (torch 1.8 to 2.13; `adaptive_avg_pool2d`):

```text
RuntimeError: adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes [1, 0, 8, 8] with dimension 1 being empty
```

Message (torch 0.4 to 1.4):

```text
RuntimeError: invalid argument 2: non-empty vector or matrix expected at /pytorch/aten/src/THCUNN/generic/ClassNLLCriterion.cu:31
```

Message (torch 0.4 to 2.13):

```text
RuntimeError: cannot unsqueeze empty tensor
```

Message (an older torch):

```text
RuntimeError: expected a non-empty list of Tensors
```

Message (an older torch):

```text
NotImplementedError: There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback function is registered for schema aten::_cat.
```

Message (torch 2.13; `aminmax`):

```text
RuntimeError: aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.
```

Message (torch 0.1 to 1.1):

```text
RuntimeError: invalid argument 1: empty Tensor at /pytorch/torch/lib/TH/generic/THTensorMath.c:2500
```

Message (torch 2.13):

```text
RuntimeError: Can not infer total number of classes from empty tensor.
```

Message (torch 2.13):

```text
RuntimeError: Expected sequence length to be larger than 0 in RNN
```

Message (torch 2.13):

```text
RuntimeError: log_probs tensor must not be empty
```

Message (torch 2.13):

```text
RuntimeError: Only zero batch or zero channel inputs are supported, but got input shape: [1, 3, 1, 0]
```

Message (torch 2.13):

```text
RuntimeError: Non-empty 3D data tensor expected but got a tensor with sizes [2, 0, 4]
```

Message (torch 2.13):

```text
RuntimeError: input tensor must have at least one element, but got input_sizes = [0, 5, 5]
```

Message (torch 0.1 to 0.3; `before 0.4`):

```text
ValueError: result of slicing is an empty tensor
```

Message (torch 0.1 to 0.3; `before 0.4`):

```text
ValueError: indexing an empty tensor
```

Message (torch 0.2 to 0.3; `before 0.4`):

```text
RuntimeError: the given numpy array has zero-sized dimensions. Zero-sized dimensions are not supported in PyTorch
```

Message (torch 0.1 to 0.3; `before 0.4`):

```text
ValueError: given sequence has an invalid size of dimension 2: 0
```

Message (torch 1.0 to 2.13, of torch.multinomial and samplers with weights; `empty dataset`):

```text
RuntimeError: cannot sample n_sample <= 0 samples
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.legacy_messages import EMPTIES, EMPTY

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.says(EMPTY, odds=0.93)


@pitfall.explains(
    r"(?:torch\.(?P<function>cat)\(\): )?expected a non-empty list of Tensors",
    r"function requires a non-empty list of Tensors|you passed an empty list of Tensors",
    r"(?P<function>\w?stack|meshgrid) expects a non-empty TensorList",
    odds=0.95,
)
def list_is_empty(failure: Failure) -> Hits:
    function = failure.groups.get("function") or "cat"
    yield failure.hit(
        f"torch.{function} gets an empty list: the loop above it put nothing in, as where no file or no "
        "object was found, or a loader with drop_last has less than a batch"
    )


@pitfall.explains(r"received an empty list of sequences", odds=0.95)
def no_sequences(failure: Failure) -> Hits:
    yield failure.hit("pad_sequence gets an empty list: no sequence came")


@pitfall.explains(
    r"cannot compute (?P<function>\w{1,30}) over an empty dimension",
    r"(?P<function>\b\w{1,30})(?:\(\))?: Expected reduction dim [\w .]{1,50}(?:numel\(\) == 0|non-zero size)",
    r"cannot perform reduction function (?P<function>\w{1,30}) on (?:a )?tensor with no elements",
    odds=0.95,
)
def tensor_is_empty(failure: Failure) -> Hits:
    there = [o for o in failure.live.operands if 0 in o.shape]
    name = f"`{there[0].name}` of shape {there[0].shape}" if len(there) == 1 else "the tensor"
    yield failure.hit(
        f"{name} has no elements, so there is no {failure.groups['function']} of them: a mask, filter or detector left none, "
        "so ask x.numel() before"
    )


@pitfall.explains(
    r"cannot reshape tensor of 0 elements into shape \[(?P<shape>[-\d, ]*)\]", odds=0.93
)
def nothing_to_reshape(failure: Failure) -> Hits:
    yield failure.hit(
        f"a tensor with no elements is viewed as [{failure.groups['shape']}], where -1 may be anything: nothing was left "
        "before this line"
    )


@pitfall.explains(
    r"\b(?P<what>\w{1,60})\(\): Expected input to have non-zero size for non-batch dimensions",
    odds=0.93,
)
def nothing_but_a_batch(failure: Failure) -> Hits:
    yield failure.hit(f"`{failure.groups['what']}` gets a tensor one of whose dimensions is empty")


@pitfall.explains(
    r"non-empty (?:vector|matrix|vector or matrix) expected",
    r"cannot unsqueeze empty tensor|blocks must be positive, but got N ?= ?0",
    odds=0.93,
)
def nothing_came(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor with no elements comes: a batch in which no sample was chosen, most often"
    )


pitfall.answers(
    {
        "Can not infer total number of classes from empty tensor": "one_hot counts the classes by the largest label, and there is none: num_classes=",
        "Expected sequence length to be larger than 0 in RNN": "the sequences have no steps: an empty text or clip, to be left out or padded to one step",
        "log_probs tensor must not be empty": "ctc_loss gets scores of no steps: the input is shorter than what the strides take together",
        "Only zero batch or zero channel inputs are supported": "a convolution gets maps with no places: a crop, or the strides before it, left nothing",
        "cannot sample n_sample <= 0 samples": "multinomial is to draw 0 samples: as many as an empty dataset or list has, mostly behind a path with nothing in it",
        "D data tensor expected but got a tensor with sizes": "what is to be resized has an empty dimension: look what left nothing of it",
        **EMPTIES,
        "input tensor must have at least one element, but got input_sizes": "a normalization gets a batch of no samples: a mask or a filter chose none, so leave such a batch out",
    },
    odds=0.96,
)
