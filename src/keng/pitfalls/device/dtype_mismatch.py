r"""Tensors of different dtypes meet where PyTorch does not convert.

Additions and multiplications of elements convert to the larger dtype by themselves; matrix products,
convolutions, recurrent layers and some losses do not. Weights are float32 unless something changed
them, and float64 usually comes from NumPy, whose numbers have that by default; integers come from
images and labels, float16 from a model that was halved.

Cure: convert the data where it enters, `x.float()`; in mixed precision leave model and data in float32
and use `torch.autocast`.

Bad (float64 from NumPy):

```python
import numpy as np
import torch
from torch import nn

model = nn.Linear(3, 2)
x = torch.from_numpy(np.ones((4, 3)))
y = model(x)  # seen: NumPy made float64
```

Bad (an image of bytes):

```python
import torch
from torch import nn

conv = nn.Conv2d(3, 8, 3)
image = torch.zeros(1, 3, 8, 8, dtype=torch.uint8)
y = conv(image)  # seen: bytes meet float32 weights
```

Bad (a matrix product):

```python
import torch

a, rows = torch.ones(2, 3), torch.tensor([1, 0])
b = torch.ones(3, 2, dtype=torch.float64)
c = a[rows] @ b  # seen: `a is float32 and b is float64`
```

Bad (a matrix and a vector):

```python
import torch

a = torch.ones(2, 3).half()
b = torch.ones(3)
c = torch.mv(a, b)  # seen: float16 meets float32
```

Bad (two vectors):

```python
import torch

a, b = torch.ones(3), torch.arange(3)
c = torch.dot(a, b)  # seen: integers meet float32
```

Bad (a batch of products):

```python
import torch

a, b = torch.ones(1, 2, 3), torch.ones(1, 3, 2).double()
c = torch.bmm(a, b)  # seen: float32 meets float64
```

Bad (a recurrent layer):

```python
import torch
from torch import nn

lstm = nn.LSTM(3, 4)
x = torch.ones(5, 1, 3, dtype=torch.float64)
y, _ = lstm(x)  # seen: float64 meets float32 weights
```

Bad (a normalization):

```python
import torch
from torch import nn

norm = nn.BatchNorm1d(3)
x = torch.ones(4, 3, dtype=torch.float64)
y = norm(x)  # seen: float64 meets float32 weights
```

Bad (attention):

```python
import torch
import torch.nn.functional as F

query, key = torch.ones(1, 2, 4).half(), torch.ones(1, 2, 4)
y = F.scaled_dot_product_attention(query, key, key)  # seen: a float16 query, float32 keys
```

Bad (a loss):

```python
import torch
import torch.nn.functional as F

probability, target = torch.full((4,), 0.5), torch.ones(4, dtype=torch.long)
loss = F.binary_cross_entropy(probability, target)  # seen: this loss takes float targets
```

Bad (the same, from scores):

```python
import torch
import torch.nn.functional as F

scores, target = torch.zeros(4), torch.ones(4, dtype=torch.long)
loss = F.binary_cross_entropy_with_logits(scores, target)  # seen: this loss takes float targets
```

Good:

```python
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

model = nn.Linear(3, 1)
x = torch.from_numpy(np.ones((4, 3))).float()
target = torch.ones(4, 1, dtype=torch.long)
loss = F.binary_cross_entropy_with_logits(model(x), target.float())
```

Message (torch 2.13, of a grid):

```text
RuntimeError: meshgrid expects all tensors to have the same dtype
```

Message (torch 2.13, sparse):

```text
RuntimeError: mat1 dtype Float does not match mat2 dtype Double
```

Message (torch 2.13; `what is float64`):

```text
RuntimeError: index_add_(): self (Float) and source (Double) must have the same scalar type
RuntimeError: expected dtype float for `end` but got dtype double
```

Message (torch 2.13; `what is float64`):

```text
RuntimeError: Expected b and A to have the same dtype, but found b of type Double and A of type Float instead.
```

Message (torch 2.13; `what is float64`):

```text
RuntimeError: torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype float and bins for dimension 0 with dtype double
```

Message (torch 0.4, CUDA):

```text
RuntimeError: Input type (CUDADoubleTensor) and weight type (CUDAFloatTensor) should be the same
```

Message (torch 2.4, CUDA):

```text
RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.cuda.HalfTensor) should be the same
```

Message (torch 1.13, CPU):

```text
RuntimeError: mat1 and mat2 must have the same dtype
```

Message (torch 1.2 to 1.6):

```text
RuntimeError: Expected object of scalar type Long but got scalar type Float for argument #2 'mat2'
```

Message (an older torch; `x.float() where the data comes in`):

```text
RuntimeError: Expected object of scalar type Float but got scalar type Double for argument #2 'mat1' in call to _th_addmm
```

Message (an older torch; `its weights are Float`):

```text
RuntimeError: Expected object of scalar type Double but got scalar type Float for argument #2 'weight'
```

Message (an older torch, of the weights of a loss's classes; `weight.to`):

```text
RuntimeError: Expected object of scalar type Float but got scalar type Double for argument #3 'weight' in call to _thnn_nll_loss_forward
```

Message (an older torch; `target.float()`):

```text
RuntimeError: Expected object of scalar type Float but got scalar type Long for argument #2 'target' in call to _thnn_binary_cross_entropy_forward
```

Message (an older torch; `target.float()`):

```text
RuntimeError: Expected object of scalar type Float but got scalar type Double for argument #2 'target'
```

Message (torch 2.13, alone; `BCEWithLogitsLoss`):

```text
RuntimeError: result type Float can't be cast to the desired output type Long
```

Message (torch 2.13, with the code; `target.float()`):

```text
RuntimeError: result type Float can't be cast to the desired output type Long

criterion = nn.BCEWithLogitsLoss()
loss = criterion(outputs, labels)
```

Message (torch 0.4):

```text
RuntimeError: Expected object of type torch.cuda.FloatTensor but found type torch.cuda.DoubleTensor for argument #4 'mat1'
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: scatter(): Expected self.dtype to be equal to src.dtype
```

Message (torch 1.0 to 2.13; `Half`):

```text
RuntimeError: Index put requires the source and destination dtypes match, got Half for the destination and Float for the source.
```

Message (torch 1.9 to 2.13):

```text
RuntimeError: index_add_(): self and source expected to have the same dtype, but got (self) Half and (source) Float
```

Message (an older torch):

```text
TypeError: expected torch.LongTensor (got torch.FloatTensor)
```

Message (torch 0.2; `another dtype`):

```text
TypeError: is_same_size received an invalid combination of arguments - got (torch.cuda.FloatTensor), but expected (torch.cuda.LongTensor other)
```

Message (torch 1.0 to 1.13):

```text
RuntimeError: Expected tensor for argument #1 'self' to have the same type as tensor for argument #2 'mat2'; but type torch.DoubleTensor does not equal torch.FloatTensor (while checking arguments for mm)
```

Message (torch 2.0 to 2.13):

```text
RuntimeError: mixed dtype (CPU): expect parameter to have scalar type of Float
```

Message (torch 1.13 to 2.1, of addmm in a backward):

```text
RuntimeError: expected mat1 and mat2 to have the same dtype, but got: c10::BFloat16 != float
```

Message (a form as it is typed, of torch 2.1 to 2.13; `float and Half`):

```text
expected mat1 and mat2 to have the same dtype, but got: float!= c10::Half
```

Message (torch 1.13 to 2.13):

```text
RuntimeError: linalg.solve: Expected A and B to have the same dtype, but found A of type Float and B of type Double instead
```

Message (torch 1.4 to 1.5, of a backward):

```text
RuntimeError: expected dtype Double but got dtype Float
```

Message (torch 1.3 to 1.13):

```text
RuntimeError: Expected tensor for argument #2 'weight' to have scalar type Float; but got torch.cuda.HalfTensor instead (while checking arguments for cudnn_batch_norm)
```

Message (torch 2.13, of allclose):

```text
RuntimeError: Float did not match Double
```

Message (an older torch):

```text
RuntimeError: expected Double tensor (got Float tensor)
```

Message (an older torch; `Double`):

```text
RuntimeError: expected device cpu and dtype Float but got device cpu and dtype Double
```

Message (an older torch, a recurrent layer):

```text
ValueError: Input and parameter tensors are not the same dtype, found input tensor with Float and parameter tensor with Half
```

Message (an older torch):

```text
RuntimeError: Expected self.dtype to be equal to src.dtype
```

Message (xFormers; `float32 and float16`):

```text
ValueError: Query/Key/Value should all have the same dtype
  query.dtype: torch.float32
  key.dtype  : torch.float16
  value.dtype: torch.float16
```

Message (torch 1.6 to 2.13; `two dtypes meet, Half and Float`):

```text
RuntimeError: masked_scatter: expected self and source to have same dtypes but gotHalf and Float
```

Message (torch 2.13; `float and Half`):

```text
RuntimeError: Expected query, key, and value to have the same dtype, but got query.dtype: float key.dtype: float and value.dtype: c10::Half instead.
```

Message (torch 2.13; `complex<float>`):

```text
RuntimeError: Input type (c10::complex<float>) and bias type (float) should be the same
```

Message (torch 2.13, of torch.baddbmm; `float and Half`):

```text
RuntimeError: Input dtypes must be the same, got: input float, batch1: float, batch2: c10::Half
```

Message (torch 2.13; `long int and float`):

```text
RuntimeError: multi_dot(): all tensors must have be the same dtype but tensor 0 is long int and tensor 1 float
```

Message (torch 2.13, of torch.complex):

```text
RuntimeError: Expected object of scalar type Half but got scalar type Float for second argument
```

Message (torch 2.13, of torch.lerp; `long and float`):

```text
RuntimeError: expected dtype long int for `end` but got dtype float
```

Bad (weights of the classes from NumPy; `the weights of the classes`):

```python
import numpy as np
import torch
import torch.nn.functional as F

scores, labels = torch.randn(4, 3), torch.tensor([0, 2, 1, 2])
weight = torch.from_numpy(np.array([1.0, 4.0, 2.0]))
loss = F.cross_entropy(scores, labels, weight=weight)  # seen: they are of float64
```

Message (torch 2.13; `target.float()`):

```text
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/functional.py", line 3608, in binary_cross_entropy_with_logits
    return torch.binary_cross_entropy_with_logits(
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
RuntimeError: result type Float can't be cast to the desired output type Long
```

Message (torch 2.13, of F.binary_cross_entropy; `prediction.float()`):

```text
RuntimeError: Found dtype Float but expected Long
```

Message (torch 2.13, of F.linear with a bias of float64; `bias.to`):

```text
RuntimeError: self and mat2 must have the same dtype, but got Double and Float
```

Message (torch 2.13; `Float and BFloat16`):

```text
RuntimeError: addmv input tensors must have the same dtype, but got Float, Float, and BFloat16
```

Message (torch 2.13; `long and float`):

```text
RuntimeError: expected m1 and m2 to have the same dtype, but got: long int != float
```

Message (torch 2.13; `weights are BFloat16`):

```text
RuntimeError: Input type (torch.FloatTensor) and weight type (CPUBFloat16Type) should be the same or input should be a MKLDNN tensor and weight is a dense tensor
```

Message (torch 2, under Windows; `weights are Half`):

```text
RuntimeError: Input type (float) and bias type (struct c10::Half) should be the same
```

Message (torch 2.0, on a Mac; `weights are Float`):

```text
RuntimeError: Input type (MPSHalfType) and weight type (MPSFloatType) should be the same
```

Message (on a card of Intel's; `is Float, its weights are BFloat16`):

```text
RuntimeError: Input type (XPUFloatType) and weight type (XPUBFloat16Type) should be the same
```

Message (torch 1.7 to 1.12, OpenAI's CLIP on a card; `model.float()`):

```text
  File "/env/lib/python3.8/site-packages/clip/model.py", line 224, in forward
    x = self.conv1(x)  # shape = [*, width, grid, grid]
RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.cuda.HalfTensor) should be the same
```

Message (torch 1.7 to 1.12, text features of CLIP's; `model.float()`):

```text
features = self.clip.transformer(features)

RuntimeError: expected scalar type Half but found Float
```

Message (torch 1.6 to 2.13, under autocast; `outside of its block`):

```text
RuntimeError: expected scalar type Half but found Float

with torch.cuda.amp.autocast():
    out = model(x)
```

Message (torch 1.13, alone; `labels and indices`):

```text
RuntimeError: expected scalar type Long but found Int
```

Message (torch 2.4, a recurrent layer; `float64`):

```text
ValueError: input must have the type torch.float32, got type torch.float64
```

Message (torch 1.5 to 1.9; `float and Half`):

```text
RuntimeError: Function AddBackward0 returned an invalid gradient at index 1 - expected type TensorOptions(dtype=float, device=cuda:0, layout=Strided, requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt)) but got TensorOptions(dtype=c10::Half, device=cuda:0, layout=Strided, requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))
```

Message (torch 1.6 to 2.13, an extension under autocast; `custom_fwd`):

```text
with torch.autocast("cuda"):
    out = net(points)

RuntimeError: expected scalar type Float but found Half
```

Message (torch 1.10 to 2.13, numbers of NumPy; `what is float64`):

```text
RuntimeError: expected scalar type Float but found Double
```

Message (torch 1.10 to 2.13, two kinds of half precision; `the same torch_dtype`):

```text
RuntimeError: expected m1 and m2 to have the same dtype, but got: c10::BFloat16 != c10::Half
```

Message (torch 1.5 to 1.12, half precision where there is no card; `on the CPU the whole model in float32`):

```text
I run the pipeline on the CPU:
RuntimeError: Input type (torch.FloatTensor) and weight type (torch.HalfTensor) should be the same or input should be a MKLDNN tensor and weight is a dense tensor
```

Message (torch 1.7 to 2.13, of what is written in; `source.to(x.dtype)`):

```text
RuntimeError: masked_scatter: expected self and source to have same dtypes but gotHalf and Float
```

Message (torch 1.13 to 2.13, mean squared error; `as a loss is computed in float32`):

```text
RuntimeError: Found dtype Float but expected Half
```

Message (torch 1.13 to 2.13, binary cross-entropy; `target.float(), as NumPy`):

```text
RuntimeError: Found dtype Double but expected Float
```

Message (torch 2.0 to 2.13, weights of bytes; `packed ones`):

```text
RuntimeError: self and mat2 must have the same dtype, but got Float and Byte
```

Message (torch 1.5 to 2.13, in place; `not in place`):

```text
  File "/home/u/loss.py", line 8, in build_targets
    x = gj.clamp_(0, gain[3] - 1)
RuntimeError: result type Float can't be cast to the desired output type long int
```

Message (xformers; `two dtypes meet, float32 and float16`):

```text
ValueError: Query/Key/Value should either all have the same dtype, or (in the quantized case) Key/Value should have dtype torch.int32
  query.dtype: torch.float32
  key.dtype  : torch.float16
  value.dtype: torch.float16
```

Message (torch 1.10 to 2.13, an adapter beside a model in half precision; `in evaluation too`):

```text
RuntimeError: expected scalar type Half but found Float
```

Message (torch 1.10 to 2.13, where autocast was tried; `as in evaluation`):

```text
The evaluation fails, and `with torch.autocast("cuda")` around the training does not help:
RuntimeError: expected scalar type Half but found Float
```

Message (torch 1.13 to 2.13, two kinds of half precision in a layer; `the same torch_dtype`):

```text
RuntimeError: Input type (c10::BFloat16) and bias type (c10::Half) should be the same
```
"""

from keng.explain.advice.clip import halved_by_clip
from keng.explain.advice.dtypes import brought_together, in_a_loss, of_a_result, of_an_argument
from keng.explain.advice.inputs import converted
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.legacy_dtypes import OF_A_LAYER, ONE_WANTED, RESULT, TWO_DTYPES, differ_in_dtype

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(*OF_A_LAYER, odds=0.65)
def input_and_weights(failure: Failure) -> Hits:
    came, wants = failure.groups.get("came", ""), failure.groups.get("wants", "")
    name = f"the input of {failure.layer}" if failure.called else "the input"
    if (clip := halved_by_clip(failure)) or came == wants or "self and mat2" in failure.message:
        added = f"{came} is added to a product of {wants}: bias.to(x.dtype)"
        if wants in ("Byte", "Char"):
            added = f"the weights are {wants}, packed ones as of 4 or 8 bits: only layers of the library that packed them unpack them"
        neither = "input and weights differ in dtype: x.float() for float32 weights"
        yield failure.hit(clip or (neither if came == wants else added))
        return
    cure, fix, place = converted(failure, wants)
    says = f"{name} is {came}, its weights are {wants}: {cure}"
    yield failure.hit(says, fix, place, came=came, wants=wants)


@pitfall.explains(
    r"expected m(?:at)?1 and m(?:at)?2 to have the same dtype, but got: (?:c10::)?(?P<one>\w+)(?: int| char|<\w+>)? ?!= ?(?:c10::)?(?P<other>\w+)",
    r"expected (?:scalar type|dtype) (?P<one>\w+) but (?:found|got dtype) (?P<other>\w+)",
    *TWO_DTYPES,
    odds=0.65,
)
def two_operands(failure: Failure) -> Hits:
    one, there = failure.groups["one"], {o.name: o.dtype for o in failure.live.operands}
    if (named := of_an_argument(failure, one, failure.groups["other"])) is not None:
        yield failure.hit(*named)
        return
    floats = {name: dtype for name, dtype in there.items() if "float" in dtype}
    there = floats if len(set(floats.values())) > 1 else there  # integers are indices then
    says = f"two dtypes meet, {one} and {failure.groups['other']}"
    if len(set(there.values())) > 1:
        says = " and ".join(f"`{name}` is {dtype}" for name, dtype in there.items())
    cure = brought_together(failure, one, failure.groups["other"])
    says = halved_by_clip(failure) or f"{says}: {cure}"
    yield failure.hit(says, sure=one != "Long")


@pitfall.explains(r"received an invalid combination of arguments - got \(", odds=0.9)
def told_by_a_list_of_types(failure: Failure) -> Hits:
    if differ_in_dtype(failure.message):
        yield failure.hit("the call has a form for another dtype, which stands after `expected`")


@pitfall.explains(r"Found dtype (?P<came>\w+) but expected (?P<wants>\w+)", odds=0.65)
def loss_of_two_dtypes(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(f"the loss gets {came} with {wants}: {in_a_loss(came, wants)}")


@pitfall.explains(RESULT, odds=0.65)
def result_that_does_not_fit(failure: Failure) -> Hits:
    yield failure.hit(*of_a_result(failure, failure.groups["one"], failure.groups["other"]))


@pitfall.explains(
    r"Index put requires the source and destination dtypes match, got (?P<one>\w+) for the destination and (?P<other>\w+)",
    r"[Ee]xpected self\.dtype to be equal to src\.dtype|\): self and (?:src|source) expected to have the same dtype",
    odds=0.9,
)
def written_into(failure: Failure) -> Hits:
    sizes = " ({other} into {one})".format(**failure.groups) if failure.groups.get("one") else ""
    says = f"what is written is of another dtype than the tensor{sizes}: source.to(x.dtype)"
    yield failure.hit(says)


@pitfall.explains(*ONE_WANTED, odds=0.65)
def one_for_all(failure: Failure) -> Hits:
    one, other = (failure.groups.get(key, "") for key in ("one", "other"))
    says = "one dtype is wanted for all: x.to(other.dtype), or one torch_dtype for the whole model"
    if failure.groups.get("cpu"):
        says = "on the CPU the weights of a normalization are float32, or of the dtype of its input: model.float(), or one torch_dtype for all"
    elif one and other:
        says = f"two dtypes meet, {one} and {other}: {brought_together(failure, one, other)}"
    yield failure.hit(says)
