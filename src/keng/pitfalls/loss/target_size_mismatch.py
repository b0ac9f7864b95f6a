r"""Predictions and targets of a loss have different sizes.

Losses that compare number with number (`BCELoss`, `BCEWithLogitsLoss`) want a target of exactly the
shape of the input; a model with one output gives (N, 1), labels come as (N). Class numbers are no such target
for a model with an output for each class. Losses over classes compare
one target with a row of scores, so their first dimensions, the batch, must agree: a `view` or a flatten
that moved values between batch and features breaks that, and a wrong reshape hides it.

Cure: `labels.unsqueeze(1)` or `scores.squeeze(1)`; where the batches differ, look for the reshape before
the loss.

Bad:

```python
import torch
import torch.nn.functional as F

scores, labels = torch.zeros(4, 1), torch.ones(4)
loss = F.binary_cross_entropy_with_logits(scores, labels)  # seen: `labels.unsqueeze(1)`
```

Bad (probabilities):

```python
import torch
import torch.nn.functional as F

chances, labels = torch.full((4, 1), 0.5), torch.ones(4)
loss = F.binary_cross_entropy(chances, labels)  # seen: `chances is (4, 1)`
```

Bad (images and what a decoder gives, flat):

```python
import torch
import torch.nn.functional as F

made, images = torch.full((2, 16), 0.5), torch.ones(2, 1, 4, 4)
loss = F.binary_cross_entropy(made, images)  # seen: `images.reshape(2, 16)`
```

Bad (the class numbers of cross-entropy):

```python
import torch
import torch.nn.functional as F

chances, labels = torch.full((4, 2), 0.5), torch.tensor([0.0, 1.0, 1.0, 0.0])
loss = F.binary_cross_entropy(chances, labels)  # seen: `class numbers of 2 classes`
```

Bad (two maps for one mask):

```python
import torch
import torch.nn.functional as F

scores, masks = torch.zeros(2, 2, 4, 4), torch.ones(2, 1, 4, 4)
loss = F.binary_cross_entropy_with_logits(scores, masks)  # seen: `a model of 1 output`
```

Bad (a flatten that took in the batch):

```python
import torch
import torch.nn.functional as F

features = torch.ones(4, 2, 3)
scores, labels = features.view(-1, 3), torch.zeros(4).long()
loss = F.cross_entropy(scores, labels)  # seen: `8 rows of scores meet 4 labels`
```

Bad (masks of another resolution):

```python
import torch
import torch.nn.functional as F

scores, masks = torch.ones(2, 3, 4, 4), torch.zeros(2, 8, 8).long()
loss = F.cross_entropy(scores, masks)  # seen: 4 x 4 and 8 x 8
```

Good:

```python
import torch
import torch.nn.functional as F

scores, labels = torch.zeros(4, 1), torch.ones(4)
loss = F.binary_cross_entropy_with_logits(scores, labels.unsqueeze(1))
loss = F.cross_entropy(torch.ones(4, 3), torch.zeros(4).long())
```

Message (torch 1.4, CUDA):

```text
RuntimeError: input and target batch or spatial sizes don't match: target [2 x 8 x 8], input [2 x 3 x 4 x 4] at /pytorch/aten/src/THCUNN/generic/SpatialClassNLLCriterion.cu:24
```

Message (torch 1.11 to 2.13; `[2, 1]`):

```text
RuntimeError: margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: torch.Size([2, 1]), input2: torch.Size([1, 307]), target: torch.Size([1])
```

Message (torch 2.13, of another number of labels; `a last layer of 5`):

```text
ValueError: Target size (torch.Size([8, 5])) must be the same as input size (torch.Size([8, 6]))
```

Message (torch 2.13, of labels that were flattened; `a model of 11 outputs`):

```text
ValueError: Target size (torch.Size([176, 1])) must be the same as input size (torch.Size([16, 1]))
```

Message (torch 2.13, of a decoder; `maps of 252 x 252 and 256 x 256`):

```text
ValueError: Target size (torch.Size([8, 1, 256, 256])) must be the same as input size (torch.Size([8, 1, 252, 252]))
```

Message (torch 0.4 to 1.4, of a discriminator; `torch.ones_like(output)`):

```text
ValueError: Target and input must have the same number of elements. target nelement (2) != input nelement (338)
```

Message (torch 0.4 to 1.4; `128 values with a target of 64`):

```text
ValueError: Target and input must have the same number of elements. target nelement (64) != input nelement (128)
```

Message (torch 1.11 to 2.13, of masks that are coloured; `mask.convert('L')`):

```text
ValueError: Target size (torch.Size([2, 3, 64, 64])) must be the same as input size (torch.Size([2, 1, 64, 64]))
```

Message (torch 1.0 to 2.13, of maps whose channels come last; `transpose(1, 2)`):

```text
ValueError: Target size (torch.Size([32, 48, 5])) must be the same as input size (torch.Size([32, 5, 48]))
```

Message (torch 0.3 to 1.0; `64 x 1`):

```text
RuntimeError: input and target shapes do not match: input [64 x 1], target [64] at /pytorch/aten/src/THNN/generic/MSECriterion.c:12
```

Message (torch 0.2 to 1.0; `batches`):

```text
RuntimeError: Assertion `THIndexTensor_(size)(target, 0) == batch_size' failed.  at /pytorch/aten/src/THNN/generic/ClassNLLCriterion.c:79
```

Message (torch 0.1 to 0.3; `128 x 2`):

```text
RuntimeError: input and target have different number of elements: input[128 x 1] has 128 elements, while target[128 x 2] has 256 elements at /pytorch/torch/lib/THNN/generic/MSECriterion.c:12
```

Message (torch 2.13, of a MultiLabelMarginLoss; `5, 4`):

```text
RuntimeError: inconsistent target size: [4] for input of size: [5, 4]
```

Message (torch 2.13, of a TripletMarginLoss; `one number of dimensions`):

```text
RuntimeError: The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor 1D, positive 2D, and negative 2D inputs
```

Message (torch 2.13; `reshape(())`):

```text
ValueError: Using a target size (torch.Size([1, 1])) that is different to the input size (torch.Size([])) is deprecated. Please ensure they have the same size.
```

Message (torch 0.1 to 1.2; `masks of (2x4x4)`):

```text
RuntimeError: size mismatch (got input: 2x3x5x5, target: 2x4x4) at /pytorch/aten/src/THNN/generic/SpatialClassNLLCriterion.c:25
```

Message (torch 1.5 to 2.13, CUDA, of classes in another place; `movedim(2, 1)`):

```text
RuntimeError: input and target batch or spatial sizes don't match: target [4, 31, 31], input [4, 31, 10000, 31]
```

Message (torch 1.0 to 2.13, of a language model; `-100`):

```text
  File "/env/lib/python3.10/site-packages/transformers/loss/loss_utils.py", line 36, in fixed_cross_entropy
    loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
ValueError: Expected input batch_size (103) to match target batch_size (95).
```

Message (torch 1.5 to 2.13; `a row of scores for each label`):

```text
RuntimeError: size mismatch (got input: [2], target: [64])
```

Message (torch 1.0 to 2.13, of a batch that was laid out flat; `one row of scores`):

```text
ValueError: Expected input batch_size (1) to match target batch_size (4).
```

Message (torch 1.0 to 2.13, of a mask without its channel; `target.unsqueeze(1)`):

```text
ValueError: Target size (torch.Size([2, 256, 256])) must be the same as input size (torch.Size([2, 1, 256, 256]))
```

Message (torch 1.0 to 2.13, of masks with their channel last; `movedim(-1, 1)`):

```text
ValueError: Target size (torch.Size([2, 256, 256, 1])) must be the same as input size (torch.Size([2, 1, 256, 256]))
```

Message (torch 1.0 to 2.13, of scores with their channels last; `movedim(1, -1)`):

```text
ValueError: Target size (torch.Size([2, 3, 64, 48])) must be the same as input size (torch.Size([2, 64, 48, 3]))
```

Message (torch 1.0 to 2.13, of scores that were reduced; `no argmax`):

```text
ValueError: Target size (torch.Size([32, 5])) must be the same as input size (torch.Size([32]))
```

Message (torch 1.0 to 2.13, of the last batch of a GAN; `x.size(0)`):

```text
ValueError: Using a target size (torch.Size([64, 1])) that is different to the input size (torch.Size([30, 1])) is deprecated. Please ensure they have the same size.
```

Message (torch 1.0 to 2.13, of three labels for each sample; `a last layer of 3`):

```text
ValueError: Target size (torch.Size([16, 3])) must be the same as input size (torch.Size([16, 1]))
```

Message (torch 1.0 to 2.13, of one-hot labels laid out flat; `argmax(1)`):

```text
ValueError: Expected input batch_size (8) to match target batch_size (32).
```

Message (torch 1.0 to 2.13, of a reshape with a fixed size; `the last is smaller`):

```text
ValueError: Expected input batch_size (64) to match target batch_size (46).
```

Message (torch 2.13, of masks that lie on their side; `exchanged`):

```text
RuntimeError: size mismatch (got input: [2, 21, 480, 640] , target: [2, 640, 480]
```

Message (torch 0.1 to 1.2, of another batch; `the batches differ`):

```text
RuntimeError: input and target batch or spatial sizes don't match: target [4 x 8 x 8], input [2 x 21 x 8 x 8] at /pytorch/aten/src/THNN/generic/SpatialClassNLLCriterion.c:59
```

Message (torch 0.1 to 1.9, CUDA; `32 rows of scores meet 16 labels`):

```text
RuntimeError: invalid argument 2: mismatch between the batch size of input (32) and that of target (16) at /pytorch/aten/src/THCUNN/generic/ClassNLLCriterion.cu:36
```
"""

import re
from math import isqrt

from keng.explain.advice.inputs import fitted
from keng.explain.advice.losses import batches_apart, resolutions_apart
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Target size \(torch\.Size\(\[(?P<target>[\d, ]*)\]\)\) must be the same as input size "
    r"\(torch\.Size\(\[(?P<input>[\d, ]*)\]\)\)",
    r"Using a target size \(torch\.Size\(\[(?P<target>[\d, ]*)\]\)\) that is different to the input size "
    r"\(torch\.Size\(\[(?P<input>[\d, ]*)\]\)\) is deprecated",
    odds=0.95,
)
def one_by_one(failure: Failure) -> Hits:
    target, given = failure.groups["target"], failure.groups["input"]
    names = failure.lost_as(0, "the input").strip("`"), failure.lost_as(1, "the target").strip("`")
    says = f"{names[0]} is ({given}), {names[1]} is ({target})"
    name = names[1] if names[1].isidentifier() else "target"
    shapes = [[int(size) for size in each.split(", ") if size] for each in (target, given)]
    cure, form = fitted(name, *shapes)
    says += f": {cure}" if cure else ""
    yield failure.hit(says, failure.turned(names[1], form) if form else None)


@pitfall.explains(
    r"Expected input batch_size \((?P<rows>\d+)\) to match target batch_size \((?P<labels>\d+)\)",
    r"mismatch between the batch size of input \((?P<rows>\d+)\) and that of target \((?P<labels>\d+)\)",
    odds=0.95,
)
def batches_that_differ(failure: Failure) -> Hits:
    yield failure.hit(
        batches_apart(failure, int(failure.groups["rows"]), int(failure.groups["labels"]))
    )


@pitfall.explains(
    r"size mismatch \(got input: \[?(?P<input>\d[\dx, ]*)\]? ?, target: \[?(?P<target>\d[\dx, ]*)",
    r"input and target batch or spatial sizes don't match: target \[(?P<target>[\dx, ]+)\], input "
    r"\[(?P<input>[\dx, ]+)\]",
    odds=0.95,
)
def resolutions_that_differ(failure: Failure) -> Hits:
    yield failure.hit(resolutions_apart(failure.groups["input"], failure.groups["target"]))


@pitfall.explains(
    r"(?P<loss>\w{3,40}) : All input tensors should have same dimension but got sizes: (?P<sizes>.{3,150})",
    odds=0.95,
)
def of_several_inputs(failure: Failure) -> Hits:
    sizes = failure.groups["sizes"].replace("torch.Size", "")
    yield failure.hit(
        f"{failure.groups['loss']} wants inputs and target of one number of dimensions: {sizes}"
    )


@pitfall.explains(
    r"Target and input must have the same number of elements\. target nelement \((?P<target>\d+)\) != input nelement "
    r"\((?P<input>\d+)\)",
    r"different number of elements: input\[(?P<input>[\dx ]+)\] has .{3,60}? target\[(?P<target>[\dx ]+)\]",
    r"inconsistent target size: \[(?P<target>[\d, ]*)\] for input of size: \[(?P<input>[\d, ]*)\]",
    r"input and target shapes do not match: input \[(?P<input>[\dx ]+)\], target \[(?P<target>[\dx ]+)\]",
    odds=0.95,
)
def one_by_one_in_old_words(failure: Failure) -> Hits:
    target, given = failure.groups["target"], failure.groups["input"]
    says = f"the loss compares one by one, and gets {given} values with a target of {target}"
    shapes = [[int(size) for size in re.findall(r"\d+", each)] for each in (target, given)]
    plain = given.isdigit() and target.isdigit() and int(target)
    if plain and (each := int(given) // int(target)) > 1:
        of_maps = each > 4 and isqrt(each) ** 2 == each
        cure = MAPS if of_maps else "a model of 1 output, or cross_entropy for class numbers"
        says += f", {each} for each: {cure}"
    elif "inconsistent" not in failure.message and (cure := fitted("target", *shapes)[0]):
        says += f": {cure}"
    yield failure.hit(says)


MAPS = "maps of scores, as a discriminator of patches gives: torch.ones_like(output), or a mean over each"
OTHERS = {
    "THIndexTensor_(size)(target, 0) == batch_size": "the batches of scores and labels are of different sizes: a reshape took one into the other",
    "anchor, positive, and negative tensors are expected to": "the three of a triplet are of one number of dimensions: see their shapes",
}
pitfall.answers(OTHERS, odds=0.95)
