r"""Cross-entropy gets labels of another type or shape than it takes.

Class numbers are whole numbers of type long, one for each thing to be classified: for scores of shape
(N, C) the labels have shape (N), for (N, C, H, W) they have shape (N, H, W). The classes are always the
second dimension of the scores. Floating-point labels of the same shape as the scores mean something
else: a probability for each class. One-hot vectors are such probabilities and have to be floating-point
then. `weight` has one number of the scores' type for each class.

Cure: `labels.long()` for another whole type, `labels.squeeze(1)` for a column, `labels.argmax(1)` or
`labels.float()` for one-hot vectors, `scores.transpose(1, 2)` where classes come last.

Bad (seven labels a row, and a layer of three):

```python
import torch
import torch.nn.functional as F

tags = torch.randint(2, (4, 7))
loss = F.cross_entropy(torch.randn(4, 3), tags)  # seen: `a last layer of 7`
```

Bad (another type):

```python
import torch
from torch import nn

criterion = nn.CrossEntropyLoss()
scores, labels = torch.randn(4, 3), torch.tensor([0.0, 2.0, 1.0, 1.0])
loss = criterion(scores, labels)  # seen: float labels
```

Bad (a column):

```python
import torch
import torch.nn.functional as F

scores, labels = torch.randn(4, 3), torch.zeros(4, 1).long()
loss = F.cross_entropy(scores, labels)  # seen: (4, 1) instead of (4)
```

Bad (one-hot vectors of whole numbers):

```python
import torch
import torch.nn.functional as F

scores, labels = torch.randn(4, 3), torch.eye(3).long()[[0, 2, 1, 1]]
loss = F.cross_entropy(scores, labels)  # seen: probabilities are floating-point
```

Bad (a mask with a channel):

```python
import torch
import torch.nn.functional as F

scores, masks = torch.randn(2, 3, 8, 8), torch.zeros(2, 1, 8, 8).long()
loss = F.cross_entropy(scores, masks)  # seen: (2, 1, 8, 8) instead of (2, 8, 8)
```

Bad (classes that come last):

```python
import torch
import torch.nn.functional as F

scores, tokens = torch.randn(2, 5, 7), torch.zeros(2, 5).long()
loss = F.cross_entropy(scores, tokens)  # seen: the second dimension is time
```

Bad (classes that come last, as many as there are words):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 5)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    scores, tokens = net(torch.randn(2, 5, 8)), torch.randint(5, (2, 5))
    loss = F.cross_entropy(scores, tokens)  # seen: the second dimension is time, and fits by chance
    loss.backward()
    optimizer.step()
```

Bad (behind a recurrent layer, whose output is not contiguous):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
rnn, head = nn.GRU(4, 8, batch_first=True), nn.Linear(8, 5)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    scores = head(rnn(torch.randn(2, 5, 4))[0])
    loss = F.cross_entropy(scores, torch.randint(5, (2, 5)))  # seen: the second dimension is time
    loss.backward()
    optimizer.step()
```

Bad (a weight for fewer classes):

```python
import torch
from torch import nn

criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 5.0]))
scores, labels = torch.randn(4, 3), torch.tensor([0, 2, 1, 1])
loss = criterion(scores, labels)  # seen: 2 weights for 3 classes
```

Bad (class numbers for scores):

```python
import torch
from torch import nn

scores, labels = torch.randn(4, 3), torch.tensor([0, 2, 1, 1])
loss = nn.CrossEntropyLoss()(scores.argmax(1), labels)  # seen: `the outputs before argmax`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

criterion = nn.CrossEntropyLoss(weight=torch.ones(3))
scores, labels = torch.randn(4, 3), torch.tensor([0.0, 2.0, 1.0, 1.0])
loss = criterion(scores, labels.long())
loss = F.cross_entropy(torch.randn(2, 3, 8, 8), torch.zeros(2, 1, 8, 8).long().squeeze(1))
loss = F.cross_entropy(torch.randn(2, 5, 7).transpose(1, 2), torch.zeros(2, 5).long())
loss = F.cross_entropy(scores, torch.eye(3)[[0, 2, 1, 1]])
```

Message (torch 1.13):

```text
  File "/opt/venv/lib/python3.9/site-packages/torch/nn/functional.py", line 3026, in cross_entropy
    return torch._C._nn.cross_entropy_loss(input, target, weight, _Reduction.get_enum(reduction), ignore_index, label_smoothing)
RuntimeError: expected scalar type Long but found Int
```

Message (torch 1.0 to 1.4, its end left out; `.long()`):

```text
RuntimeError: Expected object of scalar type Long but got scalar type Int for argument #2
```

Message (torch 1.4, CUDA; `or a regression`):

```text
RuntimeError: Expected object of scalar type Long but got scalar type Float for argument #2 'target' in call to _thnn_nll_loss_forward
```

Message (torch 1.4):

```text
RuntimeError: multi-target not supported at /pytorch/aten/src/THNN/generic/ClassNLLCriterion.c:22
```

Message (torch 2.13; `BCEWithLogitsLoss`):

```text
RuntimeError: 0D or 1D target tensor expected, multi-target not supported
```

Message (torch 2.13, of sequences; `scores.transpose(1, 2)`):

```text
RuntimeError: Expected target size [32, 1000], got [32, 20]
```

Message (torch 2.13, of volumes; `squeeze(1) takes`):

```text
RuntimeError: Expected target size [2, 8, 8, 8], got [2, 1, 8, 8, 8]
```

Message (torch 2.13, of volumes of another size; `F.interpolate`):

```text
RuntimeError: Expected target size [2, 8, 8, 8], got [2, 16, 16, 16]
```

Message (torch 1.0 to 1.9, CUDA, masks of one channel; `squeeze(1) takes`):

```text
RuntimeError: 1only batches of spatial targets supported (non-empty 3D tensors) but got targets of size: : [2, 1, 512, 512]
```

Message (torch 2.13, of a classifier over steps; `scores[:, -1]`):

```text
RuntimeError: Expected target size [64, 10], got [64]
```

Message (torch 1.10 to 2.13, of a classifier that is a network of maps; `pooling`):

```text
RuntimeError: only batches of spatial targets supported (3D tensors) but got targets of dimension: 1
```

Message (torch 1.4, CUDA, masks; `colours`):

```text
RuntimeError: 1only batches of spatial targets supported (3D tensors) but got targets of size: : [2, 8, 8, 3]
```

Message (torch 2.13):

```text
ValueError: For 1D input, 1D target must have size 1, but got target size: 2
```

Message (torch 2.13):

```text
RuntimeError: ignore_index is not supported for floating point target
```

Message (an older torch):

```text
RuntimeError: weight tensor should be defined either for all or no classes at /pytorch/aten/src/THNN/generic/SpatialClassNLLCriterion.c:27
```

Message (torch 2.13, of an nn.MultiMarginLoss; `class numbers are long`):

```text
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/functional.py", line 4181, in multi_margin_loss
    return torch._C._nn.multi_margin_loss(
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
RuntimeError: expected scalar type Long but found Float
```

Message (torch 0.4 to 1.4, CUDA):

```text
RuntimeError: 1only batches of spatial targets supported (non-empty 3D tensors) but got targets of size: : [8, 3, 64, 64]
```

Message (torch 0.1 to 0.2; `view(-1, C)`):

```text
ValueError: Expected 2 or 4 dimensions (got 3)
```

Message (torch 0.3 to 1.7; `unsqueeze(0)`):

```text
ValueError: Expected 2 or more dimensions (got 1)
```
"""

from keng.explain.advice.inputs import scores_and_labels
from keng.explain.advice.losses import labels_apart
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LossCall
from keng.tables.legacy_messages import SCORES

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.answers(SCORES, odds=0.93)
LOSSES = ("cross_entropy", "nll_loss", "nll_loss_nd")
MEANT = "; with one output, a binary loss or a regression may be meant"
ROWS = "a target in the shape of the scores is taken for probabilities: one-hot rows as argmax(1), several labels a row as .float() in BCEWithLogitsLoss"


@pitfall.explains(
    r"expected target dtype to be Long or Byte, but got (?P<came>\w+)",
    r"Expected object of (?:scalar )?type (?:torch\.(?:cuda\.)?)?Long(?:Tensor)? but (?:got scalar|found) type "
    r"(?:torch\.(?:cuda\.)?)?(?P<came>\w+?)(?:Tensor)? for argument #2 'target'",
    odds=0.95,
)
def another_type(failure: Failure) -> Hits:
    name = failure.lost_as(1, "")
    says = f"{name or 'the target'} is of type {failure.groups['came'].lower()}"
    if failure.groups["came"] == "Int":
        says += ", as NumPy before 2 makes them on Windows"
    lost, measured = failure.live.lost, failure.groups["came"] in ("Float", "Double")
    one = lost[0].shape[1:] == (1,) if lost else False
    more = MEANT if one or (measured and not lost) else ""
    says += f"; class numbers are long: `{name.strip('`') or 'labels'}.long()`{more}"
    yield failure.hit(says, failure.turned("" if one else name, "{}.long()"))


@pitfall.explains(r"expected scalar type Long but found (?P<came>\w+)", odds=0.95)
def another_type_in_a_loss(failure: Failure) -> Hits:
    lost = any(frame.function.endswith((*LOSSES, "margin_loss")) for frame in failure.frames)
    if lost or any(loss in failure.around for loss in ("CrossEntropyLoss", "NLLLoss", *LOSSES)):
        yield from another_type(failure)


@pitfall.explains(
    r"Expected object of scalar type Long but got scalar type (?P<came>\w+) for argument #2(?! ?')",
    odds=0.75,
)
def another_type_alone(failure: Failure) -> Hits:
    if not failure.frames and not failure.written_for_torch:
        yield from another_type(failure)


@pitfall.explains(
    r"(?:0D or 1D target tensor expected, )?multi-target not supported",
    r"only batches of spatial targets supported \((?:non-empty )?3D tensors\) but got targets of (?:dimension|size)",
    r"Expected floating point type for target with class probabilities, got \w+",
    r"Expected target size [\[(](?P<wants>[\d, ]+)[\])], got (?:torch\.Size\()?\[(?P<came>[\d, ]+)\]",
    odds=0.95,
)
def another_shape(failure: Failure) -> Hits:
    name = failure.lost_as(1, "the target")
    if len(failure.live.lost) != 2:
        shape = f"{name} has another shape than class numbers have: {labels_apart(failure)}"
        yield failure.hit(ROWS if "class probabilities" in failure.message else shape)
        return
    yield failure.hit(*scores_and_labels(failure, name, labels_apart(failure)))


@pitfall.explains(
    r"weight tensor should be defined either for all (?P<classes>\d+) classes or no classes "
    r"but got weight tensor of shape: \[(?P<came>[\d, ]*)\]",
    odds=0.95,
)
def weight_of_another_length(failure: Failure) -> Hits:
    came, classes = failure.groups["came"], failure.groups["classes"]
    cure = f", or a last layer of {came}" if came.isdigit() else ""
    yield failure.hit(
        f"`weight` has the shape ({came}), but the scores have {classes} classes: one weight for each{cure}"
    )


@pitfall.watches("loss")
def scores_and_labels_apart(loss: LossCall) -> Hits:
    given, target = loss.input_shape, loss.target_shape
    if loss.function not in LOSSES or (loss.failed and loss.misfit_is_range):
        return
    if loss.failed:
        says = f"scores of shape {given} and labels of shape {target}, {loss.target_dtype}"
        yield loss.hit(f"{says}, do not fit")
    elif len(given) == 3 and given[1] == given[2] and target == given[:-1] and loss.classes_last:
        says = f"`{loss.input or 'the input'}` is {given} with the classes last: dimension 1 is taken for them"
        yield loss.hit(f"{says}; transpose(1, 2)")
