r"""A label is not among the model's classes.

A model with C outputs knows the classes 0 to C - 1. Labels that count from 1 to C, or a data set with
one class more than the model, fall outside. On the CPU the loss raises an IndexError; on a GPU an
assertion fails inside the kernel, and the error surfaces later, in a line that is innocent.

Cure: shift labels that count from 1 (`labels - 1`), map others to 0 to C - 1, or give the last layer as
many outputs as there are classes. A label to be left out is `ignore_index`.

Bad (labels that count from 1):

```python
import torch
from torch import nn

model = nn.Linear(8, 3)
x, labels = torch.randn(6, 8), torch.tensor([1, 2, 3, 1, 2, 3])
loss = nn.functional.cross_entropy(model(x), labels)  # seen: so `subtract 1 from the labels`
```

Bad (one class more than the model has outputs):

```python
import torch
from torch import nn

model = nn.Linear(8, 4)
criterion = nn.CrossEntropyLoss()
labels = torch.tensor([0, 1, 2, 3, 4])
loss = criterion(model(torch.randn(5, 8)), labels)  # seen: `label 4 is not among the classes`
```

Bad (a negative label that is not `ignore_index`):

```python
import torch
from torch import nn

scores = torch.randn(4, 3, 5, 5).log_softmax(1)
target = torch.zeros(4, 5, 5, dtype=torch.int64)
target[0, 0, 0] = -1
loss = nn.functional.nll_loss(scores, target)  # seen: `ignore_index=-1`
```

Bad (a mask with the border that is left out):

```python
import torch
import torch.nn.functional as F

scores, mask = torch.zeros(1, 3, 2, 2), torch.tensor([[[0, 1], [2, 255]]])
loss = F.cross_entropy(scores, mask)  # seen: `ignore_index=255`
```

Bad (one-hot vectors of labels that count from 1):

```python
import torch

labels = torch.tensor([1, 2, 3])
target = torch.nn.functional.one_hot(labels, 3)  # seen: `labels holds one that is too large`
```

Bad (one-hot vectors of a label that marks what has none):

```python
import torch

labels = torch.tensor([0, -1, 2])
target = torch.nn.functional.one_hot(labels, 3)  # seen: `labels holds one below 0`
```

Bad (a mask of black and white, of two classes):

```python
import torch
import torch.nn.functional as F

scores, mask = torch.zeros(1, 2, 2, 2), torch.tensor([[[0, 255], [255, 0]]])
loss = F.cross_entropy(scores, mask)  # seen: `(mask > 0).long()`
```

Bad (two classes of one output):

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
scores, labels = model(torch.randn(3, 8)), torch.tensor([0, 1, 0])
loss = nn.functional.cross_entropy(scores, labels)  # seen: `BCEWithLogitsLoss`
```

Bad (a negative label and one too many):

```python
import torch
from torch import nn

model = nn.Linear(8, 3)
scores = model(torch.randn(3, 8))
loss = nn.functional.cross_entropy(scores, torch.tensor([-1, 1, 3]))  # seen: `a negative label`
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(8, 3)
x, labels = torch.randn(6, 8), torch.tensor([1, 2, 3, 1, 2, 3])
loss = nn.functional.cross_entropy(model(x), labels - 1)
```

Fine (pixels left out by `ignore_index`; a regression):

```python
import torch
from torch import nn

model = nn.Linear(8, 3)
labels = torch.tensor([0, 2, 255, -100])
loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), labels.clamp(max=254) % 254 % 3)
loss = nn.functional.cross_entropy(
    model(torch.randn(3, 8)), torch.tensor([0, 2, 255]), ignore_index=255
)
loss = nn.functional.mse_loss(model(torch.randn(2, 8)), torch.full((2, 3), 5.0))
```

Message (torch 0.4 to 1.10, CUDA; `the GPU tells late`):

```text
/pytorch/aten/src/THCUNN/ClassNLLCriterion.cu:108: cunn_ClassNLLCriterion_updateOutput_kernel: block: [0,0,0], thread: [4,0,0] Assertion `t >= 0 && t < n_classes` failed.
RuntimeError: cuda runtime error (59) : device-side assert triggered at /pytorch/aten/src/THC/generic/THCTensorMath.cu:26
```

Message (torch 2.4, CUDA; `mask.unique()`):

```text
../aten/src/ATen/native/cuda/NLLLoss2d.cu:106: nll_loss2d_forward_kernel: block: [0,0,0], thread: [33,0,0] Assertion `t >= 0 && t < n_classes` failed.
Traceback (most recent call last):
  File "train.py", line 31, in <module>
    loss.backward()
RuntimeError: CUDA error: device-side assert triggered
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
```

Message (an older torch, CUDA, without the line of the check; `GPU tells late`):

```text
RuntimeError: cuda runtime error (59) : device-side assert triggered at C:/w/1/s/windows/pytorch/aten/src\THCUNN/generic/ClassNLLCriterion.cu:110
```

Message (torch 0.4, CPU; `labels.unique()`):

```text
RuntimeError: Assertion `cur_target >= 0 && cur_target < n_classes' failed. at /opt/conda/conda-bld/pytorch/aten/src/THNN/generic/ClassNLLCriterion.c:93
```

Message (torch 1.10 to 2.13; `two for cross_entropy`):

```text
IndexError: Target 1 is out of bounds.
```

Message (torch 1.10 to 2.13, of texts; `14 outputs or more`):

```text
IndexError: Target 13 is out of bounds.
```

Message (torch 1.10 to 2.13; `or are grey values`):

```text
IndexError: Target 192 is out of bounds.
```

Message (torch 1.10 to 2.13; `ignore_index=255`):

```text
IndexError: Target 255 is out of bounds.
```

Message (torch 1.10 to 2.13; `ignore_index=-1`):

```text
IndexError: Target -1 is out of bounds.
```

Message (torch 1.10 to 2.13, of a segmentation; `grey values`):

```text
Traceback (most recent call last):
  File "/work/train.py", line 31, in <module>
    loss = criterion(net(images), masks)
IndexError: Target 192 is out of bounds.
```

Message (torchmetrics; `num_classes is 10`):

```text
RuntimeError: Detected more unique values in `target` than `num_classes`. Expected only 10 but found 11 in `target`.
```

Message (MMDetection; `num_classes=3`):

```text
AssertionError: The `num_classes` (80) in Shared2FCBBoxHead of MMDataParallel does not matches the length of `CLASSES` 3) in CocoDataset
```

Message (YOLOv5 and Ultralytics; `0 to 2`):

```text
AssertionError: Label class 3 exceeds nc=3 in /data/coco.yaml. Possible class labels are 0-2
```

Message (torchmetrics; ``> 0``):

```text
RuntimeError: Detected the following values in `target`: tensor([  0, 255]) but expected only the following values [0, 1].
```

Message (torchmetrics; `ignore_index=`):

```text
RuntimeError: Detected the following values in `target`: tensor([-1,  0,  1]) but expected only the following values [0, 1].
```

Message (torchmetrics; `multiclass`):

```text
RuntimeError: Detected the following values in `target`: tensor([0, 1, 2]) but expected only the following values [0, 1].
```

Message (Detectron2; `section of the config`):

```text
AssertionError: A prediction has class=5, but the dataset only has 3 classes and predicted class id should be in [0, 2].
```

Message (YOLOv5; `which has 5`):

```text
AssertionError: best.pt (80 classes) trained on different --data than what you passed (5 classes). Pass correct combination of --weights and --data that are trained together.
```

Message (transformers 4 and 5; `vocab_size=`):

```text
ValueError: Label values must be <= vocab_size: 32
```

Message (YOLOv3 of 2019; `count from 0`):

```text
AssertionError: Target classes exceed model classes
```

Message (YOLOv3 of 2020; `count from 0`):

```text
AssertionError: Model accepts 80 classes labeled from 0-79, however you labelled a class 80. See https://github.com/ultralytics/yolov3/wiki/Train-Custom-Data
```
"""

from keng.explain.advice.fits import labelled_anew
from keng.explain.advice.labelled import OF_ONE_HOT, in_a_metric, of_no_class, of_some_class
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LossCall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("loss")
def labels_against_outputs(call: LossCall) -> Hits:
    if call.labels is not None and call.labels.verdict and call.fits:
        yield call.hit(call.labels.verdict)


@pitfall.explains(
    r"Target (?P<label>-?\d+) is out of bounds",
    r"Assertion .?(?:cur_target|t) >= 0 && (?:cur_target|t) < n_classes.? failed",
    odds=0.95,
)
def label_beyond_the_outputs(failure: Failure) -> Hits:
    labels, label = failure.live.labels, failure.groups.get("label")
    if labels is not None:
        fix, says = labelled_anew(failure, labels), f"{labels.verdict}{labels.first_at}"
        yield failure.hit(says, fix, lowest=labels.lowest, highest=labels.highest)
    else:
        yield failure.hit(of_no_class(failure, label) if label else of_some_class(failure))


@pitfall.explains(r"device-side assert triggered at \S{0,300}ClassNLLCriterion\.cu\b", odds=0.85)
def label_told_late(failure: Failure) -> Hits:
    yield failure.hit(of_some_class(failure))


@pitfall.explains(r"Class values must be (?P<bound>smaller than num_cl|non-negative)", odds=0.95)
def one_hot_of_no_class(failure: Failure) -> Hits:
    names = [operand.name for operand in failure.live.operands]
    labels = f"`{names[0]}` holds" if len(names) == 1 else "the labels hold"
    yield failure.hit(f"{labels} {OF_ONE_HOT[failure.groups['bound']]}")


@pitfall.explains(
    r"Detected more unique values in `(?P<what>target|preds)` than \S{3,14}?\. Expected only (?P<classes>\d+) but found (?P<found>\d+)",
    r"The `num_classes` \((?P<classes>\d+)\) in \w{1,80} of (?P<what>\w{1,80}) does not matches? the length of `CLASSES`,? \(?(?P<found>\d+)",
    odds=0.95,
)
def more_classes_than_said(failure: Failure) -> Hits:
    what, classes, found = (failure.groups[key] for key in ("what", "classes", "found"))
    says = f"num_classes is {classes}, and `{what}` holds {found} different values: as many as there are classes, or ignore_index= for a 255 or -1 that marks none"
    named = f"the head has {classes} classes, and the dataset names {found}: num_classes={found}"
    yield failure.hit(says if what in ("target", "preds") else named)


@pitfall.explains(
    r"Label class (?P<label>\d+) exceeds (?:nc=|dataset class count )(?P<classes>\d+)", odds=0.95
)
def class_of_a_box(failure: Failure) -> Hits:
    label, classes = int(failure.groups["label"]), int(failure.groups["classes"])
    says = f"label {label} is not among {classes} classes, 0 to {classes - 1}: number them from 0, or raise nc and names"
    yield failure.hit(says)


@pitfall.explains(
    r"Detected the following values in `(?P<what>target|preds)`: (?P<values>.{1,200}?) but expected only the following values "
    r"(?P<allowed>\[[-\d, ]{1,80}\])",
    odds=0.93,
)
def values_of_other_classes(failure: Failure) -> Hits:
    values = failure.groups["values"].removeprefix("tensor(").partition("]")[0] + "]"
    yield failure.hit(in_a_metric(failure.groups["what"], values, failure.groups["allowed"]))


@pitfall.explains(
    r"A prediction has class=\d+, but the dataset only has (?P<classes>\d+) classes and predicted",
    r"\(\d+ classes\) trained on different --data than what you passed \((?P<classes>\d+) classes\)",
    odds=0.95,
)
def model_of_more_classes(failure: Failure) -> Hits:
    yield failure.hit(
        f"the model has other classes than the dataset, which has {failure.groups['classes']}: that number in the section of the config that this model's head reads, and weights that were trained so"
    )


OF_CTC = "a label is not in the vocabulary of the model: vocab_size=len(processor.tokenizer), and the tokenizer that the labels were made with"
pitfall.answers({"Label values must be <= vocab_size": OF_CTC}, odds=0.96)
IN_DARKNET = ("Target classes exceed model classes", "however you labelled a class")
OF_DARKNET = "a class number in the label files is not below the classes of the model: they count from 0; classes= in the *.cfg, as many as in the *.data and the *.names"
pitfall.answers(dict.fromkeys(IN_DARKNET, OF_DARKNET), odds=0.96)
