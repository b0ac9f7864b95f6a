r"""A layer gets an input of another size than it was made for.

`nn.Linear(in_features, out_features)` takes inputs whose last dimension is `in_features`; a convolution
takes inputs with `in_channels` channels, in the second dimension, and at least as large as its kernel.
The size that arrives depends on everything before the layer: a flatten after another input size, one
pooling more or less, grey images where colour was expected. torch 1.9 does not check it on a card: there backward fails, or nothing does.

Cure: make the layer for what arrives, or mend what arrives; the message holds both numbers.

Bad (a linear layer):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.fc = nn.Linear(8 * 28 * 28, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x)).flatten(1)
        return self.fc(x)  # seen: `takes 6272 features, but gets 5408 = 8 * 26 * 26`


net = Net()
net(torch.randn(2, 1, 28, 28))
```

Bad (a convolution):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU())
images = torch.randn(2, 1, 4, 4)
out = net(images)  # seen: grey images, so `in_channels=1`
```

Bad (channels last):

```python
import torch
from torch import nn

conv = nn.Conv2d(3, 6, 3)
images = torch.zeros(2, 32, 48, 3)
out = conv(images)  # seen: so `images.permute(0, 3, 1, 2)`
```

Bad (nothing left to convolve):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.MaxPool2d(2), nn.Conv2d(4, 4, 5))
out = net(torch.randn(2, 1, 10, 10))  # seen: `kernel of 5 x 5, but only 4 x 4`; `padding=1`
```

Bad (nothing left to pool):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.MaxPool2d(8), nn.MaxPool2d(2))
out = net(torch.randn(2, 1, 10, 10))  # seen: 1 x 1 is left to pool
```

Bad (an image that was not flattened):

```python
import torch
from torch import nn

fc = nn.Linear(28 * 28, 10)
images = torch.randn(4, 28, 28)
scores = fc(images)  # seen: `fc takes 784 features, but gets 28: flatten its input first`
```

Bad (half of the features):

```python
import torch
from torch import nn

fc = nn.Linear(8, 2)
features = torch.randn(2, 2, 4).view(4, 4)
scores = fc(features)  # seen: `fc takes 8 features, but gets 4: in_features=4`
```

Bad (groups):

```python
import torch
from torch import nn

conv = nn.Conv2d(4, 6, 3, groups=2)
out = conv(torch.randn(2, 3, 8, 8))  # seen: `gets 3, which its groups do not divide`
```

Bad (two matrices, no layer):

```python
import torch

a, b = torch.ones(2, 4), torch.ones(3, 3)
c = a @ b  # seen: `a has 4 columns, but b has 3 rows`
```

Bad (one sample, as a column):

```python
import torch
from torch import nn

fc = nn.Linear(6, 36)
sample = torch.tensor([[3.0], [1.0], [22.0], [1.0], [0.0], [7.25]])
y = fc(sample)  # seen: `6 features in a row`; `sample.T`
```

Bad (an image with its alpha channel):

```python
import torch
from torch import nn

conv = nn.Conv2d(3, 6, 3)
image = torch.zeros(1, 4, 8, 8)
out = conv(image)  # seen: `convert('RGB')`
```

Bad (channels last, without a batch):

```python
import torch
from torch import nn

conv = nn.Conv2d(3, 6, 3)
image = torch.zeros(32, 48, 3)
out = conv(image)  # seen: so `image.permute(2, 0, 1)`
```

Bad (weights that are turned round):

```python
import torch
import torch.nn.functional as F

weight = torch.ones(784, 10)
samples = torch.ones(4, 784)
scores = F.linear(samples, weight)  # seen: `weight is (784, 10): weight.T`
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.fc = nn.Linear(8 * 26 * 26, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x)).flatten(1)
        return self.fc(x)


net = Net()
net(torch.randn(2, 1, 28, 28))
```

Message (torch 1.4; `in_features=7`):

```text
RuntimeError: size mismatch, m1: [4 x 7], m2: [10 x 2] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:136
```

Message (torch 1.9 to 2.13, of an extractor that returns the action; `scores or actions`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x2 and 768x64)
```

Message (torch 1.0 to 1.4, of a second last layer behind the first; `84 features from before`):

```text
RuntimeError: size mismatch, m1: [4 x 10], m2: [84 x 10] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:197
```

Message (torch 1.9 to 2.13, of rows of images; `x.flatten(1)`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (1792x28 and 784x128)
```

Message (torch 1.9 to 2.13, of images of 96 x 96 for 32 x 32; `3 x 3`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x4608 and 512x10)
```

Message (torch 1.9 to 2.13, of a model of a library; `a layer of transformers`):

```text
  File "/env/lib/python3.10/site-packages/transformers/models/bert/modeling_bert.py", line 286, in forward
    query_layer = self.query(hidden_states)
  File "/env/lib/python3.10/site-packages/torch/nn/modules/linear.py", line 125, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (128x512 and 768x768)
```

Message (torch 1.2; `self.fc takes 10 features, but gets 1: in_features=1`):

```text
  File "train.py", line 12, in forward
    return self.fc(x)
  File "/usr/lib/python3/dist-packages/torch/nn/modules/linear.py", line 87, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: size mismatch, m1: [4 x 1], m2: [10 x 2] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:961
```

Message (torch 1.0 to 1.5, of a backbone whose last two children were cut off, and that has no more; `features of it was cut off`):

```text
RuntimeError: size mismatch, m1: [16 x 3], m2: [2048 x 512]
```

Message (torch 1.0):

```text
RuntimeError: Given groups=1, weight of size 64 3 7 7, expected input[16, 1, 224, 224] to have 3 channels, but got 1 channels instead
```

Message (torch 1.9, CUDA; `in_features=32768`):

```text
RuntimeError: Function AddmmBackward returned an invalid gradient at index 1 - got [1, 2048] but expected shape compatible with [1, 32768]
```

Message (torch 1.5, of a backward that somebody wrote; `of a backward of your own`):

```text
RuntimeError: Function MmBackward returned an invalid gradient at index 0 - got [1, 1024] but expected shape compatible with [1, 4096]
```

Message (torchaudio 0.6 to 0.12, of filters made for another n_fft; `one of them turned round`):

```text
  File "mel.py", line 12, in forward
    mel_specgram = torch.matmul(specgram.transpose(1, 2), self.fb).transpose(1, 2)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (3074x938 and 201x512)
```

Message (torch 2.13, of a recurrent layer with two directions; `as of two directions`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (1600x2048 and 1024x31)
```

Message (torch 1.7, CUDA):

```text
RuntimeError: mat1 dim 1 must match mat2 dim 0
```

Message (torch 0.1 to 0.3):

```text
RuntimeError: size mismatch at /pytorch-0.1.12/torch/lib/THC/generic/THCTensorMathBlas.cu:243
```

Message (an older torch; `in_channels=1`):

```text
RuntimeError: Given groups=1, weight[64, 3, 3, 3], so expected input[1, 1, 32, 32] to have 3 channels, but got 1 channels instead
```

Message (torch 1.0 to 2.13, of a stem that folds pixels into channels; `64 = 4 * 16 for 48 = 3 * 16`):

```text
it is giving error on small PNG files
RuntimeError: Given groups=1, weight of size [76, 48, 3, 3], expected input[1, 64, 112, 112] to have 48 channels, but got 64 channels instead
PIL reads them as RGBA
```

Message (torch 1.0 to 2.13, of coloured images; `convert('L')`):

```text
RuntimeError: Given groups=1, weight of size [32, 1, 3, 3], expected input[64, 3, 28, 28] to have 1 channels, but got 3 channels instead
```

Message (torch 1.0 to 1.4, without frames; `.T for one sample`):

```text
RuntimeError: size mismatch, m1: [6 x 1], m2: [6 x 36] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:136
```

Message (torch 2.13; `1 x -190`):

```text
RuntimeError: Given input size per channel: (1 x 4). Calculated output size per channel: (1 x -190). Output size is too small
```

Message (EfficientNet, whose layers pad before they convolve; `permute(0, 3, 1, 2)`):

```text
RuntimeError: Given groups=1, weight of size [32, 3, 3, 3], expected input[32, 224, 225, 5] to have 3 channels, but got 224 channels instead
```

Message (torch 2.13, of a pretrained model with its head; `model.fc = nn.Identity()`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1000 and 2048x7)
```

Message (torch 2.13, of one tensor where two were joined; `torch.cat of both`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x64 and 128x8)
```

Message (torch 1.0 to 1.4, of images that are larger; `maps of 3 x 3 for 1 x 1`):

```text
File "models/resnet.py", line 102, in forward
    return self.linear(out)
  File "/usr/lib/python3/dist-packages/torch/nn/modules/linear.py", line 87, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: size mismatch, m1: [2 x 4608], m2: [512 x 10] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:752
```

Message (torch 2.13, of a backbone of another width or of larger images; `where maps of 2 x 2 for 1 x 1 are flattened`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (160x1280 and 320x256)
```

Message (torch 2.13, of a matrix that is to be turned; `the second turned round`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x784 and 10x784)
```

Message (torch 2.13, of matrices with names; `a.T has 784`):

```text
h = torch.mm(x, a)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x784 and 10x784)
```

Message (torch 2.13, of one image without a batch, or a batch of one; `or (2, 0, 1) without a batch`):

```text
RuntimeError: Given groups=1, weight of size [6, 3, 3, 3], expected input[1, 361, 424, 3] to have 3 channels, but got 361 channels instead
```

Message (torch 2.13, of square maps as large as there are channels; `in_channels=128, or out_channels=64`):

```text
RuntimeError: Given groups=1, weight of size [64, 64, 3, 3], expected input[1, 128, 64, 64] to have 64 channels, but got 128 channels instead
```

Message (torch 2.13, of a U-Net; `torch.cat of both`):

```text
RuntimeError: Given groups=1, weight of size [512, 1024, 3, 3], expected input[1, 512, 64, 64] to have 1024 channels, but got 512 channels instead
```

Message (torch 2.13, of images and a mask in one; `image.convert('RGB') for each`):

```text
RuntimeError: Given groups=1, weight of size [64, 7, 7, 7], expected input[1, 9, 512, 512] to have 7 channels, but got 9 channels instead
```

Message (torch 2.13, of latents; `the autoencoder that belongs to it`):

```text
RuntimeError: Given groups=1, weight of size [512, 16, 3, 3], expected input[16, 4, 128, 128] to have 16 channels, but got 4 channels instead
```

Message (torch 2.13, of a model of speech; `spectrograms of 80 bands`):

```text
RuntimeError: Given groups=1, weight of size [384, 80, 3], expected input[1, 70, 3000] to have 80 channels, but got 70 channels instead
```

Message (torch 2.13, of a time series; `series of 7 channels`):

```text
RuntimeError: Given groups=1, weight of size [512, 7, 3], expected input[32, 1, 38] to have 7 channels, but got 1 channels instead
```

Message (torch 2.13, of frames that are stacked; `images of 3 channels`):

```text
RuntimeError: Given groups=1, weight of size [64, 3, 7, 7], expected input[8, 12, 84, 84] to have 3 channels, but got 12 channels instead
```

Message (torch 0.2, of grey images; `that for in_channels`):

```text
RuntimeError: Need input.size[1] == 3 but got 1 instead.
```

Message (torch 2.13, of frames that stand first; `x.transpose(0, 1)`):

```text
RuntimeError: Given groups=1, weight of size [64, 3, 7, 7], expected input[3, 16, 224, 224] to have 3 channels, but got 16 channels instead
```

Message (torch 2.13, of a depthwise convolution; `with groups=64`):

```text
RuntimeError: Given groups=32, weight of size [32, 1, 3, 3], expected input[1, 64, 112, 112] to have 32 channels, but got 64 channels instead
```

Message (torch 2.13, of the features of another model; `encoder that it was trained with`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (577x768 and 1024x768)
```

Message (torch 2.13, of the text encoder of another model; `encoder that it was trained with`):

```text
RuntimeError: mat1 and mat2 shapes cannot be multiplied (154x2048 and 768x320)
```
"""

from math import prod

from keng.explain.advice import images, layers
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"mat1 and mat2 shapes cannot be multiplied \((?P<rows>\d+)x(?P<came>\d+) and (?P<wants>\d+)x(?P<out>\d+)\)",
    r"size mismatch, m1: \[(?P<rows>\d+) x (?P<came>\d+)\], m2: \[(?P<wants>\d+) x (?P<out>\d+)\]",
    r"Function (?:Addmm|Mm)Backward returned an invalid gradient at index [01] - got \[(?P<rows>\d+), (?P<wants>\d+)\] but expected shape compatible with \[(?P=rows), (?P<came>\d+)\]",
    odds=0.9,
)
def features(failure: Failure) -> Hits:
    rows, came, wants = (int(failure.groups[name]) for name in ("rows", "came", "wants"))
    given, says = failure.given, f"{failure.layer} takes {wants} features, but gets {came}"
    joined = rows * came % wants == wants % came == 0
    if (known := layers.one_size_is_not_it(failure, wants, came)) is not None:
        yield failure.hit(*known)
    elif prod(given.shape[1:]) == wants if given is not None else joined:
        says += f": flatten its input first, as in {failure.fed}.flatten(1), or in_features={came}"
        yield failure.hit(says, sure=given is not None or layers.not_flattened(rows, wants, came))
    else:
        cure, fix = layers.made_for_what_came(failure, wants, came)
        yield failure.hit(f"{says}{cure}", fix=fix, wants=wants, came=came)


@pitfall.explains(
    r"Given (?:groups|transposed)=(?P<groups>\d+), weight(?: of size )?\[?(?P<weight>[\d, ]+)\]?, (?:so )?expected input\[(?P<shape>[\d, ]+)\] "
    r"to have (?P<wants>\d+) channels, but got (?P<came>\d+) channels instead",
    odds=0.95,
)
def channels(failure: Failure) -> Hits:
    came, wants = int(failure.groups["came"]), int(failure.groups["wants"])
    shape = [int(size) for size in failure.groups["shape"].split(",")]
    says = f"{failure.layer} takes {wants} channels, but gets {came}"
    if images.channels_come_last(shape, wants, failure.groups["weight"]):
        turned, fix = images.put_second(failure, shape)
        yield failure.hit(f"{says}: the channels are the last dimension; {turned}", fix)
    elif (came_as := images.without_channels(failure, shape, wants)) is not None:
        says += f": `{failure.fed}` of shape {came_as} lacks the dimension of its channel"
        yield failure.hit(says, failure.refed("{}.unsqueeze(1)"), sure=failure.given is not None)
    elif came % int(failure.groups["groups"]):
        yield failure.hit(f"{says}, which its groups do not divide", wants=wants, came=came)
    elif replaced := layers.weight_replaced(failure, "in_channels", wants, came):
        yield failure.hit(replaced)
    else:
        cure = images.channels_for(failure, shape, wants, came)
        fix = failure.remade("in_channels", 0, wants, came) if cure.startswith("in_") else None
        yield failure.hit(f"{says}: {cure}", fix=fix, wants=wants, came=came)


@pitfall.explains(
    r"Calculated padded input size per channel: \((?P<came>[\dx ]+)\)\. Kernel size: \((?P<wants>[\dx ]+)\)\.\s{1,3}"
    r"Kernel size can't be greater than actual input size",
    odds=0.95,
)
def extent(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    says = f"{failure.layer} has a kernel of {wants}, but only {came} arrives, padding included"
    number = layers.more_padding(failure, wants, came)
    yield failure.hit(f"{says}: larger inputs, less pooling, or {number}")


@pitfall.explains(
    r"Given input size(?: per channel)?: \((?P<came>[\dx ]+)\)\. Calculated output size(?: per channel)?: \((?P<left>[\dx -]+)\)\. "
    r"Output size is too small",
    odds=0.95,
)
def nothing_left(failure: Failure) -> Hits:
    came, left = (failure.groups[n].replace(" ", "").replace("x", " x ") for n in ("came", "left"))
    says = f"{failure.layer} gets {came} and would leave {left}: larger inputs or less pooling"
    yield failure.hit(says)


@pitfall.explains(
    r"mat1 dim 1 must match mat2 dim 0|size mismatch at /\S{0,200}TH\w*TensorMath|Need input\.size\[1\] == \d+ but got|[Nn]umber of input planes|invalid input frame size"
)
def features_without_their_numbers(failure: Failure) -> Hits:
    yield failure.hit(layers.without_numbers(failure))
