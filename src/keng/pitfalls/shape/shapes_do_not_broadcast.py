r"""Two shapes do not fit together element by element.

Shapes are compared from the last dimension backwards: two sizes fit where they are equal or one of
them is 1, and a dimension that one side lacks counts as 1. `expand` and assignments to a slice follow
the same rule, but only the smaller side may be stretched. What is often meant is another order of
dimensions, or an extra one: a vector for the rows of a matrix must be a column, (n, 1).

Cure: give the side that lacks it a dimension of 1, `x.unsqueeze(1)` or `x[:, None]`, or mend what came.

Bad:

```python
import torch

scores = torch.ones(4, 3)
weights = torch.ones(4)
weighted = scores * weights  # seen: `scores * weights[:, None]`
```

Bad (sizes that have nothing to do with each other):

```python
import torch

left, right = torch.ones(2, 4), torch.ones(2, 5)
total = left + right  # seen: 4 and 5
```

Bad (back from the spectrum of an odd length):

```python
import torch

signal = torch.randn(4, 125)
spectrum = torch.fft.rfft(signal)
smooth = torch.fft.irfft(spectrum)
loss = (smooth - signal).square().mean()  # seen: `n=signal.shape[-1]`
```

Bad (stretched to a smaller size):

```python
import torch

row = torch.ones(3)
grid = row.expand(4, 2)  # seen: `3 cannot become 2`
```

Bad (a slice of another size):

```python
import torch

rows = torch.zeros(4, 5)
rows[0] = torch.ones(3)  # seen: 3 do not fill 5
```

Bad (a piece that begins behind the end):

```python
import torch

sound, piece = torch.ones(1, 50), torch.zeros(1, 65)
piece[:, :65] = sound[:, 60:125]  # seen: `has no elements`
```

Bad (nothing is left to add; `0 and 65`):

```python
import torch

sound = torch.ones(1, 65)
mixed = sound + torch.ones(1, 50)[:, 60:125]
```

Bad (a mask of another size):

```python
import torch

x, keep = torch.ones(3), torch.tensor([True, False])
kept = x[keep]  # seen: `a mask of (2) for a tensor of (3)`
```

Bad (a mask of the beams where there is one row; `x[:, :, mask]`):

```python
import torch

scores, ended = torch.zeros(1, 1, 5), torch.zeros(5, dtype=torch.bool)
kept = scores[:, ended]  # seen: `dimension 2`
```

Bad (positions that were not cut):

```python
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, max_len=8):
        super().__init__()
        self.register_buffer("pe", torch.zeros(1, max_len, width))

    def forward(self, x):
        return x + self.pe  # seen: `self.pe[:, :5]`


y = Positions(6)(torch.zeros(2, 5, 6))
```

Bad (features of another width than their positions):

```python
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, max_len=8):
        super().__init__()
        self.register_buffer("pe", torch.zeros(1, max_len, width))

    def forward(self, x):
        return x + self.pe[:, : x.size(1)]  # seen: `nn.Linear(2, 6)`


y = Positions(6)(torch.zeros(3, 5, 2))
```

Bad (weights of the classes beside another number of them; `a number for each class`):

```python
import torch
from torch import nn

scores, target = torch.randn(4, 2), torch.rand(4, 2)
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.ones(3))
loss = criterion(scores, target)  # seen: 3 and 2 meet
```

Bad (the same, without scores; `a number for each class`):

```python
import torch
from torch import nn

scores, target = torch.rand(4, 2), torch.rand(4, 2)
criterion = nn.BCELoss(weight=torch.ones(3))
loss = criterion(scores, target)  # seen: 3 weights for 2 classes
```

Good:

```python
import torch

scores = torch.ones(4, 3)
weights = torch.ones(4)
weighted = scores * weights[:, None]
row = torch.ones(3)
grid = row.expand(4, 3)
kept = row[torch.tensor([True, False, True])]
```

Message (torch 1.0 to 2.13, of maps of an image; `multiple of 32 or 64`):

```text
  File "./lib/models/bisenetv2.py", line 277, in forward
    left = left1 * torch.sigmoid(right1)
RuntimeError: The size of tensor a (54) must match the size of tensor b (56) at non-singleton dimension 2

It happens with an image of 640x427
```

Message (torch 1.0 to 2.13, with nothing that tells of what; `of maps of an image`):

```text
RuntimeError: The size of tensor a (624) must match the size of tensor b (620) at non-singleton dimension 3
```

Message (torch 1.0 to 2.13, of a kernel that is not padded; `both the same`):

```text
The images are of 55 x 55
RuntimeError: The size of tensor a (53) must match the size of tensor b (55) at non-singleton dimension 3
```

Message (torch 1.0 to 2.13, of a mask for attention; `both the same`):

```text
  File "/home/u/model.py", line 61, in forward
    attn = attn + bias
RuntimeError: The size of tensor a (513) must match the size of tensor b (512) at non-singleton dimension 3
```

Message (torchvision, an image with an alpha channel; `alpha`):

```text
Traceback (most recent call last):
  File "train.py", line 12, in <module>
    x = prepare(Image.open("cat.png"))
  File "/env/lib/python3.8/site-packages/torchvision/transforms/functional.py", line 350, in normalize
    tensor.sub_(mean).div_(std)
RuntimeError: The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 0
```

Message (torch 1.0 to 2.13, a grey image; `convert('RGB')`):

```text
RuntimeError: output with shape [1, 1024, 1024] doesn't match the broadcast shape [3, 1024, 1024]
```

Message (torchvision, an image with an alpha channel; `convert('RGB')`):

```text
  File "/env/lib/python3.10/site-packages/torchvision/transforms/_functional_tensor.py", line 926, in normalize
    return tensor.sub_(mean).div_(std)
RuntimeError: The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 0
```

Message (torch 1.0 to 2.13, the same in words; `convert('RGB')`):

```text
The following exception is raised when the uploaded image is a 4-channel png.
RuntimeError: The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 0
```

Message (transformers, of position_ids for another length; `3999 tokens are turned by angles for 4000`):

```text
[rank0]:   File "/env/lib/python3.11/site-packages/transformers/models/llama/modeling_llama.py", line 206, in apply_rotary_pos_emb
[rank0]:     q_embed = (q * cos) + (rotate_half(q) * sin)
[rank0]: RuntimeError: The size of tensor a (3999) must match the size of tensor b (4000) at non-singleton dimension 2
```

Message (transformers, of another head size; `another head size`):

```text
  File "/env/lib/python3.10/site-packages/transformers/models/llama/modeling_llama.py", line 170, in apply_rotary_pos_emb
    q_embed = (q * cos) + (rotate_half(q) * sin)
RuntimeError: The size of tensor a (80) must match the size of tensor b (128) at non-singleton dimension 3
```

Message (torch 2.13 under Python 3.11, a marked line alone; `nn.Linear(2, 6)`):

```text
now, this line is giving error:

    encoded = scaled_x + self.pe[:,:x.size(1),:]
              ~~~~~~~~~^~~~~~~~~~~~~~~~~~~~~~~~~
RuntimeError: The size of tensor a (2) must match the size of tensor b (6) at non-singleton dimension 2
```

Message (torch 1.0 to 2.13, of rows that were flattened; `24 * 384`):

```text
IndexError: The shape of the mask [384, 19] at index 0 does not match the shape of the indexed tensor [9216, 19] at index 0
```

Message (torch 1.0 to 2.13; `x = x + y`):

```text
RuntimeError: output with shape [4] doesn't match the broadcast shape [3, 4]
```

Message (torch 1.0 to 2.13; `[2, 3]`):

```text
RuntimeError: expand(torch.FloatTensor{[2, 3]}, size=[2]): the number of sizes provided (1) must be greater or equal to the number of dimensions in the tensor (2)
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor
```

Message (torch 0.3 and 0.4; `[4]`):

```text
RuntimeError: inconsistent tensor size, expected tensor [4] and src [5] to have the same number of elements, but got 4 and 5 elements respectively at /pytorch/aten/src/TH/generic/THTensorMath.c:887
```

Message (torch 0.2 to 1.0, on a GPU; `element by element`):

```text
RuntimeError: invalid argument 2: sizes do not match at /opt/conda/conda-bld/pytorch_1524586445097/work/aten/src/THC/generated/../generic/THCTensorMathPointwise.cu:339
```

Message (torch 0.1 to 0.4):

```text
RuntimeError: inconsistent tensor sizes at /pytorch/torch/lib/TH/generic/THTensorMath.c:2864
```

Message (torch 2.13, of two batches; `x.size(0)`):

```text
RuntimeError: The size of tensor a (50) must match the size of tensor b (64) at non-singleton dimension 0
```

Message (torch 2.13, of a batch on two cards; `DataParallel splits`):

```text
RuntimeError: The size of tensor a (2) must match the size of tensor b (4) at non-singleton dimension 0
```

Message (torch 2.13, of boxes that were gathered otherwise; `that very tensor`):

```text
IndexError: The shape of the mask [917585] at index 0 does not match the shape of the indexed tensor [954568, 4] at index 0
```

Message (torch 2.13, of classes; `with and without the background`):

```text
RuntimeError: The size of tensor a (5) must match the size of tensor b (6) at non-singleton dimension 1
```

Message (torch 2.13, of a pretrained teacher; `ImageNet's classes`):

```text
RuntimeError: The size of tensor a (1000) must match the size of tensor b (2) at non-singleton dimension 1
```

Message (torch 2.13, of channels; `num_classes or channels`):

```text
RuntimeError: The size of tensor a (64) must match the size of tensor b (16384) at non-singleton dimension 1
```

Message (torch 2.13, of texts; `not padded to one`):

```text
RuntimeError: The size of tensor a (882) must match the size of tensor b (568) at non-singleton dimension 1
```

Message (torchaudio, of spectra; `129 = 256 / 2 + 1`):

```text
RuntimeError: The size of tensor a (256) must match the size of tensor b (129) at non-singleton dimension 1
```

Message (torch 2.13, of maps that were upsampled once less; `4 times as large`):

```text
RuntimeError: The size of tensor a (64) must match the size of tensor b (256) at non-singleton dimension 3
```

Message (torch 2.13, of images of two sizes; `maps or sequences of two sizes`):

```text
RuntimeError: The size of tensor a (512) must match the size of tensor b (1920) at non-singleton dimension 2
```

Message (torch 2.13, of nothing; `one is empty`):

```text
RuntimeError: The size of tensor a (0) must match the size of tensor b (7927) at non-singleton dimension 2
```

Message (torch 2.13, of a mask that was not flattened; `mask.flatten()`):

```text
IndexError: The shape of the mask [32, 8732] at index 0 does not match the shape of the indexed tensor [279424, 1] at index 0
```

Message (torch 2.13, of an image without boxes; `there are none`):

```text
IndexError: The shape of the mask [230202] at index 0 does not match the shape of the indexed tensor [0] at index 0
```

Message (torch 0.2 and 0.3, of a sum that lost its dimension; `keepdim=True`):

```text
RuntimeError: invalid argument 1: the number of sizes provided must be greater or equal to the number of dimensions in the tensor at /pytorch/torch/lib/TH/generic/THTensor.c:299
```

Message (torch 1.0 to 2.13, of a value that is not kept; `x = self.classifier(x)`):

```text
  File "train.py", line 115, in forward
    x - self.classifier(x)
RuntimeError: The size of tensor a (7) must match the size of tensor b (10) at non-singleton dimension 3
```

Message (torch 1.0 to 2.13, of two inputs; `x_mark`):

```text
  File "layers/Embed.py", line 117, in forward
    x = self.value_embedding(x) + self.temporal_embedding(x_mark)
RuntimeError: The size of tensor a (48) must match the size of tensor b (96) at non-singleton dimension 1
```

Message (torch 1.0 to 2.13, of two maps; `upped`):

```text
  File "net.py", line 121, in forward
    x = upped * skip
RuntimeError: The size of tensor a (64) must match the size of tensor b (256) at non-singleton dimension 3
```

Message (torch 1.0 to 2.13, of a loss that compares one by one; `the last layer for 7`):

```text
UserWarning: Using a target size (torch.Size([4, 7, 64, 64])) that is different to the input size (torch.Size([4, 6, 64, 64])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
RuntimeError: The size of tensor a (6) must match the size of tensor b (7) at non-singleton dimension 1
```

Message (torch 1.0 to 2.13, of a loss along another dimension; `of one shape`):

```text
  File "train.py", line 40, in <module>
    loss = criterion(out, y)
  File "/env/lib/python3.8/site-packages/torch/nn/modules/loss.py", line 520, in forward
    return F.mse_loss(input, target, reduction=self.reduction)
  File "/env/lib/python3.8/site-packages/torch/nn/functional.py", line 3112, in mse_loss
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
  File "/env/lib/python3.8/site-packages/torch/functional.py", line 72, in broadcast_tensors
    return _VF.broadcast_tensors(tensors)
RuntimeError: The size of tensor a (28) must match the size of tensor b (33) at non-singleton dimension 2
```

Message (torch 2.13, of an image with its alpha channel that fills a place for three; `convert('RGB')`):

```text
RuntimeError: The expanded size of the tensor (3) must match the existing size (4) at non-singleton dimension 0.  Target sizes: [3, 224, 224].  Tensor sizes: [4, 224, 224]
```

Message (torch 2.13, of a smaller batch that fills a buffer; `x[:len(y)]`):

```text
RuntimeError: The expanded size of the tensor (64) must match the existing size (17) at non-singleton dimension 0.  Target sizes: [64, 10].  Tensor sizes: [17, 10]
```

Message (torch 2.13, of two text encoders; `widths of two models`):

```text
RuntimeError: The size of tensor a (768) must match the size of tensor b (1024) at non-singleton dimension 2
```

Message (torch 2.13, of class numbers; `nn.CrossEntropyLoss`):

```text
  File "train.py", line 30, in <module>
    loss = criterion(outputs, labels)
RuntimeError: The size of tensor a (10) must match the size of tensor b (64) at non-singleton dimension 1
```

Message (torch 2.13, of more than there is room for; `y[:3072]`):

```text
RuntimeError: The expanded size of the tensor (3072) must match the existing size (4841) at non-singleton dimension 0.  Target sizes: [3072, 9].  Tensor sizes: [4841, 9]
```

Message (torch 2.13, of coloured masks; `F.one_hot`):

```text
  File "loss.py", line 12, in dice
    tp = torch.sum(targets*preds, dim=(2, 3))
RuntimeError: The size of tensor a (4) must match the size of tensor b (18) at non-singleton dimension 1
```

Message (torch 2.13, of a file of other sizes; `sizes that the file has`):

```text
  File "utils/saving_utils.py", line 104, in partially_load_state_dict
    own_state[name].copy_(param)
RuntimeError: The size of tensor a (74) must match the size of tensor b (63) at non-singleton dimension 0
```

Message (torch 2.13, of a norm of each row; `y[:, None]`):

```text
RuntimeError: The expanded size of the tensor (64) must match the existing size (96) at non-singleton dimension 1.  Target sizes: [96, 64].  Tensor sizes: [96]
```

Message (torch 2.13, of a slice that is empty; `is empty`):

```text
RuntimeError: The expanded size of the tensor (0) must match the existing size (4) at non-singleton dimension 0.  Target sizes: [0].  Tensor sizes: [4]
```

Message (torch 2.13, of images with channels last; `x.permute(0, 3, 1, 2)`):

```text
RuntimeError: The size of tensor a (256) must match the size of tensor b (3) at non-singleton dimension 3
```

Message (torch 2.13, of two that were joined; `twice as many, as where torch.cat`):

```text
RuntimeError: The size of tensor a (4015) must match the size of tensor b (8030) at non-singleton dimension 1
```

Message (torch 2.13, of a row that is added to a column; `y[:, None]`):

```text
RuntimeError: output with shape [64, 1] doesn't match the broadcast shape [64, 64]
```

Message (torch 2.13, of a column that is added to a row; `y.squeeze(1)`):

```text
RuntimeError: output with shape [10] doesn't match the broadcast shape [10, 10]
```

Message (torch 2.13, of labels for a loss that compares values; `class numbers go into`):

```text
  File "train.py", line 44, in train
    loss = criterion(output, target)
  File "/env/lib/python3.10/site-packages/torch/nn/modules/loss.py", line 535, in forward
    return F.mse_loss(input, target, reduction=self.reduction)
  File "/env/lib/python3.10/site-packages/torch/nn/functional.py", line 3280, in mse_loss
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
RuntimeError: The size of tensor a (10) must match the size of tensor b (32) at non-singleton dimension 1
```

Message (torch 2.13, of scores beside labels; `scores.argmax(1) == labels`):

```text
  File "train.py", line 20, in <module>
    acc = (pred == y).sum() / len(y)
RuntimeError: The size of tensor a (10) must match the size of tensor b (64) at non-singleton dimension 1
```

Message (torch 2.13, of a mask of padding; `mask[:, None, None]`):

```text
  File "model.py", line 20, in forward
    scores = scores.masked_fill(mask == 0, -1e9)
RuntimeError: The size of tensor a (8) must match the size of tensor b (32) at non-singleton dimension 1
```

Message (torch 2.13, of a mask of another length; `tokens that came`):

```text
  File "model.py", line 20, in forward
    out = attn + mask
RuntimeError: The size of tensor a (20) must match the size of tensor b (19) at non-singleton dimension 3
```

Message (torch 2.13, of an optimizer; `make it anew`):

```text
  File "train.py", line 20, in <module>
    optimizer.step()
RuntimeError: The size of tensor a (64) must match the size of tensor b (32) at non-singleton dimension 0
```

Message (torch 2.13, on the way back; `was resized since`):

```text
  File "train.py", line 20, in <module>
    loss.backward()
RuntimeError: The size of tensor a (64) must match the size of tensor b (32) at non-singleton dimension 1
```
"""

from keng.explain.advice import sizes
from keng.explain.advice.images import stretched_otherwise
from keng.explain.advice.positions import met
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"The size of tensor a \((?P<one>\d+)\) must match the size of tensor b \((?P<other>\d+)\) at "
    r"non-singleton dimension (?P<dim>\d+)",
    odds=0.85,
)
def sizes_that_differ(failure: Failure) -> Hits:
    one, other, dim = (int(failure.groups[name]) for name in ("one", "other", "dim"))
    says, cure = met(failure, one, other, dim)
    size, fix = failure.mended("inverse_of_odd", one, other) or ("", None)
    cure = "one is empty, a slice past the end or ZeRO-3's weight" if 0 in (one, other) else cure
    cure = f"irfft gives an even length unless it is told: `{size}`" if size else cure
    yield failure.hit(f"{says}: {cure}", fix, one=one, other=other)


@pitfall.explains(
    r"The expanded size of the tensor \((?P<wants>\d+)\) must match the existing size \((?P<came>\d+)\) at "
    r"non-singleton dimension (?P<dim>\d+)",
    odds=0.85,
)
def stretched_too_little(failure: Failure) -> Hits:
    wants, came, dim = (failure.groups[name] for name in ("wants", "came", "dim"))
    yield failure.hit(stretched_otherwise(failure.message, came, wants, dim))


@pitfall.explains(
    r"output with shape \[(?P<has>[\d, ]*)\] doesn't match (?:the )?broadcast shape \[(?P<gets>[\d, ]*)\]",
    odds=0.9,
)
def changed_in_place_cannot_grow(failure: Failure) -> Hits:
    has, gets = failure.groups["has"], failure.groups["gets"]
    cure = sizes.normalized_otherwise(failure, has, gets) or sizes.weighed_otherwise(failure)
    says = f"({has}) is changed in place and would have to grow to ({gets})"
    yield failure.hit(f"{says}: {cure or sizes.grown(has, gets)}")


@pitfall.explains(
    r"[Tt]he shape of the mask \[(?P<mask>[\d, ]*)\] at index (?P<at>\d+) does not match the shape of the indexed "
    r"tensor \[(?P<tensor>[\d, ]*)\](?: at index (?P<there>\d+))?",
    odds=0.95,
)
def mask_of_another_shape(failure: Failure) -> Hits:
    mask, tensor, at = (failure.groups[name] for name in ("mask", "tensor", "at"))
    says = f"a mask of ({mask}) for a tensor of ({tensor}): it marks elements one by one"
    there = int(failure.groups["there"] or at)
    yield failure.hit(
        sizes.marked_elsewhere(mask, tensor, there)
        or says + sizes.flattened_otherwise(mask, tensor, int(at))
    )


@pitfall.explains(
    r"expand\(\S{1,60}\{\[(?P<has>[\d, ]*)\]\}, size=\[[-\d, ]*\]\): the number of sizes provided",
    r"Number of dimensions of repeat dims can not be smaller",
    odds=0.93,
)
def too_few_sizes(failure: Failure) -> Hits:
    what = f" of shape [{has}]" if (has := failure.groups.get("has")) else ""
    yield failure.hit(
        f"expand or repeat gets fewer sizes than the tensor{what} has dimensions, also where one is assigned to another"
    )


@pitfall.explains(
    r"inconsistent tensor size, expected (?:\w+ )?tensor (?P<one>\[[\dx ]*\]) and (?:\w+ )?(?:src )?(?P<other>\[[\dx ]*\])",
    odds=0.9,
)
def in_old_words(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(f"two tensors do not have the same number of elements: {one} and {other}")


@pitfall.explains(
    r"invalid argument \d: sizes do not match at|^inconsistent tensor sizes? at|the number of sizes provided must be|inconsistent tensor dimension \d|Mismatching argument at index \d+ had torch\.Size",
    odds=0.85,
)
def in_an_old_kernel(failure: Failure) -> Hits:
    yield failure.hit(sizes.weighed_otherwise(failure) or sizes.not_stretched(failure.message))
