r"""A function of PyTorch gets an argument of another kind than it takes.

PyTorch's functions convert nothing: where a tensor is wanted, a list, an array of NumPy, None or a tuple
is refused. A tuple comes most often from a layer that returns two things (`nn.LSTM`, attention, a model
of Transformers), None from a function that ends without a return, an array from a dataset without a
conversion. Sizes must be whole numbers: a division with `/` gives a float.

Cure: `torch.as_tensor(x)` for lists and arrays; take the part that is meant, `out, state = lstm(x)`; `//`
for sizes.

Bad (an array of NumPy):

```python
import numpy as np
import torch
from torch import nn

model = nn.Linear(3, 2)
x = np.ones((4, 3), dtype="float32")
y = model(x)  # seen: `torch.as_tensor`
```

Bad (two things):

```python
import torch
from torch import nn

lstm, head = nn.LSTM(3, 4), nn.Linear(4, 2)
out = lstm(torch.ones(5, 1, 3))
scores = head(out)  # seen: `a tuple`
```

Bad (nothing):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        x = self.fc(x)  # seen: `Net does, whose forward has no return`


net, criterion = Net(), nn.CrossEntropyLoss()
loss = criterion(net(torch.ones(4, 3)), torch.ones(4).long())
```

Bad (half of a size):

```python
import torch
from torch import nn

width = 6
layer = nn.Linear(width / 2, 2)  # seen: a float for a size
```

Bad (a wrong combination):

```python
import torch

total = torch.sum(torch.ones(2, 3), axes=1)  # seen: there is no axes
```

Bad (labels that are texts):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader([(torch.ones(2), "cat"), (torch.ones(2), "dog")], batch_size=2)
images, labels = next(iter(loader))
loss = nn.CrossEntropyLoss()(images, labels)  # seen: `labels that are texts`
```

Good:

```python
import numpy as np
import torch
from torch import nn

model, lstm, head = nn.Linear(3, 2), nn.LSTM(3, 4), nn.Linear(4, 2)
y = model(torch.as_tensor(np.ones((4, 3), dtype="float32")))
out, state = lstm(torch.ones(5, 1, 3))
scores = head(out)
layer = nn.Linear(6 // 2, 2)
```

Message (torch 1.0 to 2.13, of a sparse matrix of SciPy; `x.toarray()`):

```text
TypeError: expected np.ndarray (got csr_matrix)
```

Message (torch 1.0 to 2.13; `x.values`):

```text
TypeError: expected np.ndarray (got DataFrame)
```

Message (torch 1.0 to 2.13; `an optimizer`):

```text
TypeError: Linear is not an Optimizer
```

Message (torch 1.0 to 2.13; `NoneType`):

```text
RuntimeError: Could not infer dtype of NoneType
```

Message (torch 1.0 to 2.13):

```text
TypeError: new(): data must be a sequence (got float)
```

Message (torch 1.0 to 2.13, of a picture; `transforms.ToTensor(), or`):

```text
RuntimeError: Could not infer dtype of JpegImageFile
```

Message (torch 0.1 to 0.3, of labels as NumPy gives them on Windows; `x.long()`):

```text
TypeError: torch.index_select received an invalid combination of arguments - got (torch.cuda.FloatTensor, int, !torch.cuda.IntTensor!), but expected (torch.cuda.FloatTensor source, int dim, torch.cuda.LongTensor index)
```

Message (torch 0.4 to 1.0, of a length that is a tensor; `int(x) of a tensor`):

```text
TypeError: new() received an invalid combination of arguments - got (Tensor, int, int, int), but expected one of:
 * (torch.device device)
 * (tuple of ints size, torch.device device)
 * (torch.Storage storage)
 * (Tensor other)
 * (object data, torch.device device)
```

Message (torch 0.4 to 2.13, of a list that is to be repeated; `[0] * int(n)`):

```text
  File "main.py", line 197, in batchify_with_label
    mask[idx, :seqlen] = torch.Tensor([1]*seqlen)
TypeError: mul(): argument 'other' (position 1) must be Tensor, not list
```

Message (torch 2.13, of a gradient; `frozen or was not used`):

```text
  File "train.py", line 9, in clip
    n = torch.norm(p.grad)
TypeError: linalg_vector_norm(): argument 'input' (position 1) must be Tensor, not NoneType
```

Message (torchvision, of a file that is missing; `cv2.imread`):

```text
TypeError: pic should be PIL Image or ndarray. Got <class 'NoneType'>
```

Message (torchvision 0.2 to 0.24; `ToTensor`):

```text
TypeError: pic should be PIL Image or ndarray. Got <class 'torch.Tensor'>
```

Message (torchvision 0.2 to 0.7, and copies of it in programs; `before 0.8`):

```text
TypeError: img should be PIL Image. Got <class 'torch.Tensor'>
```

Message (torchvision 0.8 to 0.15):

```text
TypeError: Input img should be Tensor Image
```

Message (torch 0.1):

```text
TypeError: mean received an invalid combination of arguments - got (dim=int, keepdim=bool, ), but expected one of:
```

Message (torchvision 0.2 to 0.7; `ToTensor`):

```text
TypeError: tensor is not a torch image.
```

Message (torch 2.13, of a model of Transformers; `.last_hidden_state`):

```text
TypeError: linear(): argument 'input' (position 1) must be Tensor, not BaseModelOutputWithPoolingAndCrossAttentions
```

Message (torchvision; `ToTensor`):

```text
TypeError: Input tensor should be a torch tensor. Got <class 'PIL.Image.Image'>.
TypeError: tensor should be a torch tensor. Got <class 'PIL.Image.Image'>.
```

Message (Kornia; `an array`):

```text
TypeError: Input type is not a torch.Tensor. Got <class 'numpy.ndarray'>
```

Message (torchvision 0.8 to 0.15, of an array):

```text
TypeError: Unexpected type <class 'numpy.ndarray'>
```

Message (torchvision 0.2 to 0.24; `ToPILImage() takes`):

```text
TypeError: Input pic must be a torch.Tensor or NumPy ndarray, not <class 'numpy.ndarray'>
```

Message (torch 1.11; `a Tensor`):

```text
TypeError: pad_sequence(): sequences must be tuple of Tensors, not Tensor
```

Message (torch 2.13; `a float`):

```text
TypeError: hidden_size should be of type int, got: float
```

Message (torch 2.13, of np.mean; `np.mean is called on a tensor`):

```text
Traceback (most recent call last):
  File "train.py", line 4, in <module>
    losses = np.mean(loss, axis=0)
  File "/env/lib/python3.11/site-packages/numpy/_core/fromnumeric.py", line 3596, in mean
    return mean(axis=axis, dtype=dtype, out=out, **kwargs)
TypeError: mean() got an unexpected keyword argument 'axis'
```

Message (torch 1.0 to 2.13, of np.sum; `np.sum is called on a tensor`):

```text
TypeError: sum() received an invalid combination of arguments - got (axis=int, out=NoneType, ), but expected one of:
 * (*, torch.dtype dtype = None)
```

Message (torch 2.13; `torch.tensor(x)`):

```text
TypeError: relu(): argument 'input' (position 1) must be Tensor, not float
```

Message (torch 2.13; `a text`):

```text
TypeError: pad(): argument 'value' (position 4) must be float, not str
```

Message (torch 1.9 to 2.0, a size divided by `/`; `//`):

```text
TypeError: empty() received an invalid combination of arguments - got (tuple, dtype=NoneType, device=NoneType), but expected one of:
 * (tuple of ints size, *, tuple of names names, torch.memory_format memory_format, torch.dtype dtype, torch.layout layout, torch.device device, bool pin_memory, bool requires_grad)
 * (tuple of ints size, *, torch.memory_format memory_format, Tensor out, torch.dtype dtype, torch.layout layout, torch.device device, bool pin_memory, bool requires_grad)
```

Message (torch 2.13, of a segmentation model; `["out"]`):

```text
TypeError: cross_entropy_loss(): argument 'input' (position 1) must be Tensor, not collections.OrderedDict
```

Bad (the device of a scaler, where its first scale is):

```python
import torch

scaler = torch.amp.GradScaler("cpu", "cuda")
loss = scaler.scale(torch.ones(()))  # seen: `the first scale`
```

Message (torch 1.6 to 2.2, of the older scaler; `torch.cuda.amp.GradScaler`):

```text
  File "train.py", line 31, in <module>
    scaler.scale(loss).backward()
  File "/env/lib/python3.9/site-packages/torch/cuda/amp/grad_scaler.py", line 165, in scale
    self._lazy_init_scale_growth_tracker(outputs.device)
  File "/env/lib/python3.9/site-packages/torch/cuda/amp/grad_scaler.py", line 138, in _lazy_init_scale_growth_tracker
    self._scale = torch.full((1,), self._init_scale, dtype=torch.float32, device=dev)
TypeError: full() received an invalid combination of arguments - got (tuple, str, device=torch.device, dtype=torch.dtype), but expected one of:
 * (tuple of ints size, Number fill_value, *, tuple of names names, torch.dtype dtype, torch.layout layout, torch.device device, bool pin_memory, bool requires_grad)
 * (tuple of ints size, Number fill_value, *, Tensor out, torch.dtype dtype, torch.layout layout, torch.device device, bool pin_memory, bool requires_grad)
```

Message (torch 0.4 to 1.4, of arrays in a list; `is a tensor`):

```text
TypeError: cat() received an invalid combination of arguments - got (list, int), but expected one of:
 * (tuple of Tensors tensors, int dim, *, Tensor out)
```

Message (torch 1.0 to 2.13, of a float among sizes; `is a whole number`):

```text
TypeError: randint() received an invalid combination of arguments - got (int, tuple), but expected one of:
 * (int high, tuple of ints size, *, torch.dtype dtype)
```

Message (transformers 4, of an output that is taken apart; `taken apart like a tuple`):

```text
TypeError: linear(): argument 'input' (position 1) must be Tensor, not str
```
"""

from keng.explain.advice.inputs import as_the_line_tells, output_and_state
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.argument_forms import came_as, made_an_array, no_numbers, told_of, transformed

pitfall = Pitfall(__name__, __doc__, severity="error")

NUMPYS = "np.{0} is called on a tensor: torch.{0}(x, dim=...), or x.numpy()"


@pitfall.explains(
    r"(?P<function>[\w.]{2,60})\(\): (?:argument )?'?(?P<name>\w+)'? (?:\(position \d+\) )?must be (?P<wants>[\w ,.]{3,60}?),? (?:not|but found element of type) (?P<came>[\w.]+)",
    r"\b(?P<name>\w{1,60}) should be of type (?P<wants>[\w.]+), got: (?:<class ')?(?P<came>[\w.]+)",
    odds=0.9,
)
def another_kind(failure: Failure) -> Hits:
    groups = failure.groups
    came = as_the_line_tells(failure) or came_as(groups["wants"], groups["came"])
    says = f"`{groups['name']}` of {groups.get('function', 'the layer')} wants {groups['wants']} and gets {came}"
    mute = failure.code.silent_forward() if groups["came"] == "NoneType" and failure.code else None
    if mute is not None:
        says += f", as `{mute[0]}` does, whose forward has no return"
    fix, where = failure.code.made_last(mute[1]) if mute is not None else (None, None)
    yield failure.hit(output_and_state(failure, groups["came"]) or says, fix, where)


@pitfall.explains(
    r"argument '(?P<name>\w+)' failed to unpack the object at pos \d+ with error \"type must be tuple of "
    r"ints, ?but got (?P<came>\w+)",
    odds=0.95,
)
def a_size_that_is_not_whole(failure: Failure) -> Hits:
    yield failure.hit(f"a size is {came_as('int', failure.groups['came'])}")


@pitfall.explains(
    r"(?P<function>[\w.]{2,60}?)(?:\(\))? received an invalid combination of arguments - got \((?P<got>.{0,300}?)\), but expected",
    odds=0.85,
)
def another_combination(failure: Failure) -> Hits:
    function, got = failure.groups["function"], failure.groups["got"]
    forms = failure.message.partition(", but expected")[2]
    says = NUMPYS.format(function) if "out=NoneType" in got else told_of(function, got, forms)
    yield failure.hit(output_and_state(failure, "") or says)


@pitfall.explains(
    r"(?<![\w.])(?P<function>\w{2,20})\(\) got an unexpected keyword argument '(?:axis|out)'",
    odds=0.95,
)
def called_by_numpy(failure: Failure) -> Hits:
    if failure.raised_in.endswith("/fromnumeric.py"):
        yield failure.hit(NUMPYS.format(failure.groups["function"]))


@pitfall.explains(r"expected np\.ndarray \(got (?P<came>[\w.]+)\)", odds=0.95)
def no_array(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(f"from_numpy takes an array and gets a {came}: {made_an_array(came)}")


@pitfall.explains(r"(?:^|Error: )(?P<came>\w+) is not an Optimizer", odds=0.95)
def no_optimizer(failure: Failure) -> Hits:
    says = f"a scheduler takes an optimizer first, and gets {failure.groups['came']}: an optimizer of torch.optim"
    yield failure.hit(says)


@pitfall.explains(
    r"Could not infer dtype of (?P<came>(?!numpy)\w[\w.]*)",
    r"new\(\): (?:invalid data type '|data must be a sequence \(got )(?P<came>\w+)",
    odds=0.93,
)
def made_of_no_numbers(failure: Failure) -> Hits:
    yield failure.hit(no_numbers(failure.groups["came"]))


@pitfall.explains(
    r"(?P<what>pic|img|image|tensor) should be (?:PIL Image|Tensor|a torch tensor)[\w, ]{0,40}\. Got <class '(?P<came>[\w.]+)'>",
    r"Input img should be (?:Tensor|PIL)|[Tt]ensor is not a torch image|Unexpected type <class 'numpy\.ndarray'>",
    r"Input (?:type is not a torch\.Tensor\. Got|pic must be a torch\.Tensor or NumPy ndarray, not) <class '(?P<came>[\w.]+)'>",
    odds=0.95,
)
def of_a_transform(failure: Failure) -> Hits:
    came = failure.groups.get("came", "")
    cure = transformed(failure.message, failure.groups.get("what") or "", came)
    what = came_as("an image", came).partition(":")[0] if came else "another kind of image"
    yield failure.hit(f"a transform gets {what}: {cure}")
