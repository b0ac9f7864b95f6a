r"""A method is asked of a tensor that only arrays have, or of something else that only tensors have.

A tensor is no array of NumPy, no list and no dict, and these are no tensors, though they hold the same
numbers. `astype`, `append` and `copy` are NumPy's and Python's; `cuda`, `unsqueeze` and `backward` are
PyTorch's. Where the name is right the object is another one than was thought: an array that was never
converted, a tuple from a layer that returns two things, a loss that `.item()` has made a float, None
from a function that returns nothing.

Cure: for a tensor `.to(dtype)`, `torch.cat`, `.clone()`; for the others `torch.as_tensor(x)` first, or the part
of the tuple that is meant.

Bad:

```python
import torch

x = torch.ones(3)
y = x.astype("float32")  # seen: `.to(`
```

Bad (an array):

```python
import numpy as np
import torch

x = np.ones((3, 4), dtype="float32")
batch = x.unsqueeze(0)  # seen: `torch.as_tensor`
```

Bad (a number):

```python
import torch

x = torch.ones(3, requires_grad=True)
loss = (x * 2).sum().item()
loss.backward()  # seen: `.item()`
```

Bad (into a layer):

```python
import torch
from torch import nn

flat = nn.Flatten()([torch.ones(2), torch.ones(2)])  # seen: a list
```

Bad (labels that are texts):

```python
import torch
from torch.utils.data import DataLoader

loader = DataLoader([(torch.ones(2), "cat"), (torch.ones(2), "dog")], batch_size=2)
for images, labels in loader:
    labels = labels.to("cpu")  # seen: `labels that are texts`
```

Bad (in a forward):

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[0], -1)  # seen: a tuple


flat = Net()((torch.ones(2, 3), torch.ones(2)))
```

Good:

```python
import numpy as np
import torch

x = torch.as_tensor(np.ones((3, 4), dtype="float32")).unsqueeze(0).to(torch.float64)
x.requires_grad_()
loss = (x * 2).sum()
loss.backward()
print(loss.item())
```

Message (torch 1.0 to 2.13, of an output of two parts; `a tuple`):

```text
AttributeError: 'tuple' object has no attribute 'log_softmax'
```

Message (torch 1.0 to 2.13, a slip; `unsqueeze`):

```text
AttributeError: 'Tensor' object has no attribute 'unsqeeze'
```

Message (torch 1.13 and before, a name of a later version; `came to torch with 2.0`):

```text
AttributeError: 'Tensor' object has no attribute 'untyped_storage'
```

Message (torchvision, of a segmentation model; `out`):

```text
AttributeError: 'collections.OrderedDict' object has no attribute 'dim'
```

Message (torch 1.0 to 2.13, from a notebook; a text):

```text
---> 10     labels = labels.to(device)

AttributeError: 'str' object has no attribute 'to'
```

Message (torch 0.4 to 2.9, of class names that are a tensor; `a list was expected`):

```text
AttributeError: 'Tensor' object has no attribute 'index'
```

Message (torch 0.4 to 2.13, of what a loader gives in a list; `[x.to(device) for x in it]`):

```text
AttributeError: 'list' object has no attribute 'to'
```

Message (transformers 3 to 5, of a part of an output; `outputs[0]`):

```text
AttributeError: 'Tensor' object has no attribute 'logits'
```

Message (transformers 4 to 5, of ids alone; `return_dict=True`):

```text
AttributeError: 'Tensor' object has no attribute 'input_ids'
```

Message (torch_geometric 1 to 2; `a graph`):

```text
AttributeError: 'Tensor' object has no attribute 'edge_index'
```
"""

import re
from difflib import get_close_matches

from keng.explain.advice.fits import returns_nothing
from keng.explain.advice.inputs import output_and_state, unstacked
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables import torch_history
from keng.tables.argument_forms import IN_ITS_PLACE
from keng.tables.torch_names import TENSOR_METHODS

pitfall = Pitfall(__name__, __doc__, severity="error")

KINDS = {
    "ndarray": "an array of NumPy: torch.as_tensor(x) first",
    "list": "a list: torch.stack for tensors, torch.as_tensor for numbers",
    "tuple": "a tuple: take the part that is meant",
    **dict.fromkeys(("float", "int"), "a plain number, an .item() or a first 0: no graph"),
    "str": "a text: a key of a dict, most often",
    "dict": "a dict: take the entry that is meant",
    "collections.OrderedDict": 'a dict: take the entry that is meant, ["out"] of a model of torchvision\'s',
    "NoneType": "None: what came before returned nothing",
}
VAGUE = ("size", "device", "to", "clone", "view", "float")
AS_OF_TENSORS = re.compile(r"\.(?:to|size|view)\((?:-?\d|\w*\.?device\b|torch\.|[\"']cuda)")


@pitfall.explains(
    rf"'Tensor' object has no attribute '(?P<name>{'|'.join(IN_ITS_PLACE)})'", odds=0.9
)
def of_arrays(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(f"a tensor has no `{name}`: {IN_ITS_PLACE[name]}")


@pitfall.explains(
    r"'(?P<kind>numpy\.(?:ndarray|float\d+|int\d+)|ndarray|list|tuple|float|int|str|dict|collections\.OrderedDict|NoneType)' object has no attribute "
    r"'(?P<name>cuda|cpu|to|dim|backward|unsqueeze|log_softmax|requires_grad_?|detach|contiguous|is_cuda|data_ptr|softmax|permute|squeeze_|unsqueeze_|grad_fn|nelement|numel|expand|expand_as|view_as|masked_fill|new_zeros|to_dense|size|device|long|clone|half|double|view|float|numpy)'",
    odds=0.85,
)
def of_tensors(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    vague = kind in ("str", "NoneType") and name in VAGUE
    unlike = vague and not AS_OF_TENSORS.search(failure.line or failure.around)
    if unlike or (kind == "NoneType" and ".grad." in failure.line):
        return  # said of many things that are no tensors, or of a gradient that is not there
    what = KINDS.get(kind.removeprefix("numpy."), "a number of NumPy: torch.as_tensor(x) first")
    if kind == "list" and name in ("to", "cuda", "cpu"):
        what = "a list: [x.to(device) for x in it], or torch.stack before"
    if name == "numpy" and kind.endswith("ndarray"):
        what = "an array already: leave it out"
    what, fix = returns_nothing(failure, name) or (unstacked(failure, kind) or what, None)
    yield failure.hit(f"`{name}` is a tensor's, and this is {what}", fix)


@pitfall.explains(
    rf"'(?:Tensor|Parameter)' object has no attribute '(?P<name>(?!(?:{'|'.join(IN_ITS_PLACE)})')\w+)'",
    odds=0.8,
)
def of_nothing(failure: Failure) -> Hits:
    name = failure.groups["name"]
    near = [] if name in TENSOR_METHODS else get_close_matches(name, TENSOR_METHODS, 1, 0.75)
    other = (
        "; did you mean `{}`?" if near else ": another version of torch, or not a tensor's at all"
    )
    by_version = torch_history.told_of_name("torch.Tensor", name, f"`Tensor.{name}`")
    yield failure.hit(by_version or f"a tensor has no `{name}`{other.format(*near)}")


LOST = re.compile(r"\b(?:self\.)?(?:criterion|loss_fn|loss_func|loss_function)\(")
OVER_TORCH = re.compile(r"-packages/(?:torch/nn|torch_geometric|torchvision|torchmetrics|kornia)/")
"""Files whose functions are given tensors."""


@pitfall.explains(
    r"'(?P<kind>list|tuple|NoneType|dict|str)' object has no attribute '(?P<name>shape|dtype|ndim|dim|size|device|data|float|"
    r"view|reshape|flatten|squeeze|mean|sum|clone|argmax|max|item|softmax)'",
    odds=0.8,
)
def of_what_came_into_a_layer(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    mine = kind != "NoneType" and (failure.in_forward or failure.written_for_torch)
    if mine or OVER_TORCH.search(failure.raised_in) or LOST.search(failure.line):
        says = f"`{failure.groups['name']}` is a tensor's, and this is {KINDS[kind]}"
        yield failure.hit(output_and_state(failure, kind) or says)
