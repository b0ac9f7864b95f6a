r"""A layer gets an input with too few or too many dimensions.

Layers of images take (batch, channels, height, width), layers of sequences (batch, channels, length).
Convolutions also take one sample without a batch since 1.10, batch and group normalization do not. A single image
from a dataset, a grey image without a channel dimension, or a flattened tensor lacks one.

Cure: `x.unsqueeze(0)` for a batch of one sample, `x.unsqueeze(1)` for a channel; or the layer for that
number of dimensions, `BatchNorm1d` after a flatten.

Bad:

```python
import torch
from torch import nn

norm = nn.BatchNorm2d(3)
image = torch.ones(3, 8, 8)
out = norm(image)  # seen: `norm takes 4 dimensions, but gets 3`
```

Bad (after a flatten):

```python
import torch
from torch import nn

norm = nn.BatchNorm2d(12)
out = norm(torch.ones(4, 12))  # seen: BatchNorm1d
```

Bad (a convolution):

```python
import torch
from torch import nn

conv = nn.Conv2d(1, 4, 3)
rows = torch.ones(8, 8)
out = conv(rows)  # seen: an image without channel and batch
```

Bad (an image for CLIP):

```python
import torch
from torch import nn


class CLIP(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 768, 32, 32, bias=False)
        self.mark = nn.Parameter(torch.zeros(768))

    def encode_image(self, image):
        x = self.conv1(image)
        x = x.reshape(x.shape[0], x.shape[1], -1).permute(0, 2, 1)
        mark = self.mark + torch.zeros(x.shape[0], 1, x.shape[-1])  # seen: `unsqueeze(0)`
        return torch.cat([mark, x], dim=1)


model = CLIP()
features = model.encode_image(torch.ones(3, 224, 224))
```

Good:

```python
import torch
from torch import nn

norm = nn.BatchNorm2d(3)
image = torch.ones(3, 8, 8)
out = norm(image.unsqueeze(0))
out = nn.Conv2d(1, 4, 3)(torch.ones(8, 8)[None, None])
```

Message (OpenAI's CLIP, with the code; `picture`):

```text
RuntimeError: The size of tensor a (1024) must match the size of tensor b (16) at non-singleton dimension 2

picture = preprocess(image).to(device)
features = model.encode_image(picture)
```

Message (torch 1.4):

```text
RuntimeError: Expected 4-dimensional input for 4-dimensional weight [64, 3, 7, 7], but got 3-dimensional input of size [3, 224, 224] instead
```

Message (torch 1.5 to 2.13; `channels last`):

```text
RuntimeError: required rank 4 tensor to use channels_last format
```

Message (torch 2.1 to 2.13, a recurrent layer):

```text
ValueError: LSTM: Expected input to be 2D or 3D, got 4D instead
```

Message (torch 1.11 to 2.0, a recurrent layer; `2 or 3 dimensions`):

```text
AssertionError: RNN: Expected input to be 2-D or 3-D but received 1-D tensor
```

Message (torch 0.4 to 1.10, a recurrent layer):

```text
RuntimeError: input must have 3 dimensions, got 2
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: expected stride to be a single integer value or a list of 1 values to match the convolution dimensions, but got stride=[1, 1]
```

Message (torch 0.2 to 0.4):

```text
RuntimeError: Need input of dimension 4 and input.size[1] == 3 but got input to be of shape: [1 x 28 x 28] at /pytorch/torch/lib/THNN/generic/SpatialConvolutionMM.c:47
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes [1, 3, 8, 8] and grid with sizes [1, 8, 2]
```

Message (torch 1.3 to 2.13):

```text
RuntimeError: adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got [3, 4]
```

Message (torch 1.3 to 2.13):

```text
ValueError: expected at least 2D input (got 1D input)
```

Message (an older torch; `gets 3`):

```text
RuntimeError: Expected 4-dimensional input for 4-dimensional weight [64, 3, 7, 7], but got input of size [3, 224, 224] instead
```

Message (an older torch; `gets 2`):

```text
RuntimeError: Expected 3-dimensional tensor, but got 2-dimensional tensor for argument #1 'self' (while checking arguments for adaptive_max_pool2d)
```

Message (transformers; `(10)`):

```text
ValueError: Wrong shape for input_ids (shape torch.Size([10])) or attention_mask (shape torch.Size([10]))
```

Message (torchvision; `(channels, height, width)`):

```text
ValueError: Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = torch.Size([224, 224])
```

Message (Kornia; `(3, 224, 224)`):

```text
ValueError: Invalid input shape, we expect BxCxHxW. Got: torch.Size([3, 224, 224])
```

Message (torchvision; `list(batch)`):

```text
ValueError: images is expected to be a list of 3d tensors of shape [C, H, W], got torch.Size([1, 3, 224, 224])
```

Message (torch 0.1 to 0.4):

```text
RuntimeError: expected 4D tensor as input, got 2D tensor instead
```

Message (torch 2.13; `4`):

```text
ValueError: RNNCell: Expected hidden to be 1D or 2D, got 4D instead
```

Message (torch 2.13; `2 or 3`):

```text
RuntimeError: dropout1d: Expected 2D or 3D input, but received a 4D input. Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).
```

Message (torchaudio 0.4; `waveform`):

```text
Traceback (most recent call last):
  File "/home/u/model/discriminator.py", line 30, in forward
    x_ = down_(x)
  File "/env/lib/python3.6/site-packages/torchaudio/compliance/kaldi.py", line 802, in resample_waveform
    assert waveform.dim() == 2
AssertionError
```

Message (torch 0.1 to 1.2):

```text
RuntimeError: 3D or 4D (batch mode) tensor expected for input, but got: [1 x 1 x 28] at /pytorch/torch/lib/THNN/generic/SpatialAveragePooling.c:20
```

Message (torch 2.13; `3 or 4`):

```text
ValueError: Softmax2d: expected input to be 3D or 4D, got 2D instead
```

Message (torch 2.13):

```text
RuntimeError: Expected 3D (unbatched) or 4D (batched) input to LazyConv2d, but got input of size: torch.Size([3])
```

Message (torch 0.1 to 0.3; `unsqueeze(0)`):

```text
ValueError: expected 3D input (got 2 dimensions)
```

Message (torch 0.4 to 1.9, of unfold; `unsqueeze(0)`):

```text
NotImplementedError: Input Error: Only 4D input Tensors are supported (got 3D)
```

Message (torch 0.1 to 1.9, of a loss over images):

```text
RuntimeError: invalid argument 2: only batches of spatial inputs supported (4D tensors), but got input of dimension: 3 at /pytorch/aten/src/THNN/generic/SpatialClassNLLCriterion.c:61
```

Message (torch 1.10 to 2.0):

```text
AssertionError: Softmax2d requires a 3D or 4D tensor as input
```

Message (torch 0.4 to 1.10, of grey images; `unsqueeze(1) gives grey images their channel`):

```text
RuntimeError: Expected 4-dimensional input for 4-dimensional weight [32, 1, 5, 5], but got 3-dimensional input of size [64, 28, 28] instead
```

Message (torch 0.4 to 1.10, of one image; `unsqueeze(0) makes a batch`):

```text
RuntimeError: Expected 4-dimensional input for 4-dimensional weight [32, 3, 5, 5], but got 3-dimensional input of size [3, 28, 28] instead
```

Message (torch 0.4 to 1.10, of one image with its channels last; `x.permute(2, 0, 1).unsqueeze(0)`):

```text
RuntimeError: Expected 4-dimensional input for 4-dimensional weight [32, 3, 5, 5], but got 3-dimensional input of size [32, 48, 3] instead
```

Message (torch 0.4 to 1.10, of an image of other channels; `unsqueeze(0) makes a batch`):

```text
RuntimeError: Expected 4-dimensional input for 4-dimensional weight [32, 8, 5, 5], but got 3-dimensional input of size [3, 32, 48] instead
```

Message (torch 2.13, of a video; `x.flatten(0, 1)`):

```text
RuntimeError: Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [8, 2, 3, 8, 8]
```

Message (torch 0.4 to 1.10, of texts as for a Conv2d; `x.squeeze(1)`):

```text
RuntimeError: Expected 3-dimensional input for 3-dimensional weight [100, 300, 3], but got 4-dimensional input of size [50, 1, 20, 300] instead
```

Message (torch 2.13, of images for a Conv1d; `maps are for a Conv2d`):

```text
RuntimeError: Expected 2D (unbatched) or 3D (batched) input to conv1d, but got input of size: [64, 3, 32, 32]
```

Message (torch 0.4 to 1.10, of images for a Conv3d; `x.unsqueeze(2)`):

```text
RuntimeError: Expected 5-dimensional input for 5-dimensional weight [64, 3, 7, 7, 7], but got 4-dimensional input of size [4, 3, 224, 224] instead
```

Message (torch 2.13, of a vector for a BatchNorm1d; `in eval() alone`):

```text
ValueError: expected 2D or 3D input (got 1D input)
```

Message (torch 1.13 to 2.13, of features for images; `features`):

```text
RuntimeError: Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [32, 1024]
```

Message (torch 2.13, of a vector for a convolution; `see its shape`):

```text
RuntimeError: Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [1024]
```

Message (torch 1.11 to 2.0, of a row of numbers; `steps of one number each`):

```text
AssertionError: RNN: Expected input to be 2-D or 3-D but received 1-D tensor
```

Message (torch 0.4 to 1.10, of a sequence or a step; `unsqueeze(1) makes a batch of one sequence`):

```text
RuntimeError: input must have 3 dimensions, got 2
```

Message (torch 2.13, of maps for a BatchNorm1d; `BatchNorm2d is for maps`):

```text
ValueError: expected 2D or 3D input (got 4D input)
```

Message (torch 2.13, of sequences for a BatchNorm2d; `BatchNorm1d is for (N, C, L)`):

```text
ValueError: expected 4D input (got 3D input)
```

Message (torch 2.13, of images for a BatchNorm3d; `BatchNorm2d is for images`):

```text
ValueError: expected 5D input (got 4D input)
```

Message (transformers, of texts that are tokenized one by one and stacked; `squeeze(1)`):

```text
ValueError: Wrong shape for input_ids (shape torch.Size([8, 1, 128])) or attention_mask (shape torch.Size([8, 1, 128]))
```

Message (torch 1.13 to 2.13, of one grey image; `[None, None]`):

```text
RuntimeError: Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [28, 28]
```

Message (torch 1.10 to 2.13, of features for an InstanceNorm2d; `nn.LayerNorm`):

```text
ValueError: expected 3D or 4D input (got 2D input)
```
"""

import re

from keng.explain.advice.dimensions import arrived_elsewhere, made_to_fit
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.dimension_names import WANTED_AND_CAME

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(*WANTED_AND_CAME, odds=0.95)
def dimensions_that_lack(failure: Failure) -> Hits:
    groups = failure.groups
    wants = re.sub("-?D", "", groups["wants"])
    shape = [int(size) for size in re.findall(r"\d+", groups.get("shape") or "")]
    came = int(groups.get("came") or len(shape))
    cure = made_to_fit(failure, int(wants[-1]), came, shape)
    yield failure.hit(f"{failure.layer} takes {wants} dimensions, but gets {came}: {cure}")


@pitfall.explains(r"required rank (?P<wants>[45]) tensor to use channels_last", odds=0.9)
def channels_of_what(failure: Failure) -> Hits:
    wants = failure.groups["wants"]
    there = [o for o in failure.live.operands if len(o.shape) != int(wants)]
    name = f"`{there[0].name}` of shape {there[0].shape}" if len(there) == 1 else "a tensor"
    yield failure.hit(
        f"{name} is to be laid out with channels last, which needs {wants} dimensions, (N, C, ...): only the images"
    )


@pitfall.explains(
    r"expected (?:stride|padding|dilation|kernel_size|output_padding) to be a single integer value or a list of \d+ values? to match",
    r"Need input of dimension \d and input\.size\[1\] == \d+ but got input to be of shape",
    r"expected [345]D tensor as input, got [2-6]D tensor instead",
    r"\dD (?:\(batch mode\) |input )?tensor expected(?: for input)?,? but got",
    r"[Ee]xpected at least 2D? (?:dimensions for input tensor|input \(got)",
    r"adaptive_(?:avg|max)_pool\dd\(\): Expected \dD or \dD tensor, but got",
    r"Softmax2d requires a [\dD or]{2,9} tensor as input|only batches of spatial inputs supported|grid_sampler\(\): expected 4D (?:or 5D )?input and grid with same number of dimensions",
    odds=0.9,
)
def of_other_dimensions(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.layer} gets another number of dimensions than it is made for: the batch or channels are missing, or were flattened"
    )


@pitfall.explains(
    r"Wrong shape for input_ids \(shape torch\.Size\(\[(?P<shape>[\d, ]*)\]\)\)",
    r"Expected tensor to be a tensor image of size \(\.\.\., C, H, W\)\. Got tensor\.size\(\) = torch\.Size\(\[(?P<shape>[\d, ]*)\]\)",
    r"Invalid input shape, we expect BxCxHxW\. Got: torch\.Size\(\[(?P<shape>[\d, ]*)\]\)",
    odds=0.95,
)
def one_too_few(failure: Failure) -> Hits:
    yield failure.hit(arrived_elsewhere(failure.message, failure.groups["shape"]))


@pitfall.explains(
    r"images is expected to be a list of 3d tensors of shape \[C, H, W\], got torch\.Size\(\[(?P<shape>[\d, ]*)\]\)",
    odds=0.95,
)
def batch_in_a_list(failure: Failure) -> Hits:
    yield failure.hit(
        f"a detector takes a list of images, (C, H, W) each, and one of them is ({failure.groups['shape']}): list(batch)"
    )


@pitfall.explains(r"\bassert (?P<name>\w{1,40})\.(?:dim\(\)|ndim) == (?P<wants>\d)\b", odds=0.9)
def asserted(failure: Failure) -> Hits:
    name, wants = failure.groups["name"], failure.groups["wants"]
    yield failure.hit(
        f"`{name}` is to have {wants} dimensions, and has not: unsqueeze(0) adds a batch, squeeze(0) takes it off"
    )


@pitfall.explains(
    r"The size of tensor a \((?P<width>\d{3,4})\) must match the size of tensor b \((?P<grid>\d{1,2})\) at non-singleton dimension 2",
    odds=0.93,
)
def image_for_clip(failure: Failure) -> Hits:
    texts = [frame.text for frame in failure.frames] or [failure.message, failure.around]
    given = re.search(r"\bencode_image\((?:([A-Za-z_][\w.]*)[,)])?", "\n".join(texts))
    if given is not None:
        name, width, grid = given[1] or "image", failure.groups["width"], failure.groups["grid"]
        says = f"{width} channels of {grid} x {grid} pieces are taken for a batch: `{name}` is one image, and has no batch"
        yield failure.hit(f"{says}; {name}.unsqueeze(0)")
