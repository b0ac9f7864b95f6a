r"""A window or its padding is larger than what it goes over.

Pooling takes padding of half its window at most; reflected padding needs more pixels than are padded; some kinds of padding
exist for certain dimensions only. After several halvings a small picture is a single pixel, and an empty batch has none.

Cure: larger pictures, or fewer halvings; print the shape before this layer; `mode="replicate"` or `"constant"` for tiny
pictures; a batch dimension for 2D padding; for a spectrum, which mirrors half of `n_fft` at both ends, samples in the last dimension and as many of them.

Bad (half of the window):

```python
import torch
import torch.nn.functional as F

y = F.max_pool2d(torch.ones(1, 1, 4, 4), 2, padding=2)  # seen: `half`
```

Bad (reflected):

```python
import torch
import torch.nn.functional as F

y = F.pad(torch.ones(1, 1, 2, 2), (4, 4, 4, 4), mode="reflect")  # seen: `(4, 4)`
```

Bad (a sound whose channels come last; `its 2 channels last`):

```python
import torch

sound, window = torch.ones(3000, 2), torch.hann_window(400)
spectrum = torch.stft(sound, 400, window=window, return_complex=True)  # seen: `x.t()`
```

Bad (a sound that is too short):

```python
import torch

sound, window = torch.ones(100), torch.hann_window(400)
spectrum = torch.stft(sound, 400, window=window, return_complex=True)  # seen: `200`
```

Bad (a row of features):

```python
import torch
from torch import nn

y = nn.ReflectionPad1d(3)(torch.ones(16, 256, 2))  # seen: `2 values in a row`
```

Bad (without channels):

```python
import torch
import torch.nn.functional as F

y = F.pad(torch.ones(4, 4), (1, 1, 1, 1), mode="reflect")  # seen: `dimensions`
```

Bad (nothing to pool):

```python
import torch
import torch.nn.functional as F

y = F.max_pool2d(torch.ones(4, 4), 2)  # seen: `3 or 4`
```

Good:

```python
import torch
import torch.nn.functional as F

y = F.max_pool2d(torch.ones(1, 1, 4, 4), 2, padding=1)
y = F.pad(torch.ones(1, 1, 2, 2), (1, 1, 1, 1), mode="reflect")
```

Message (torch 1.0 to 2.0; `half`):

```text
RuntimeError: pad should be smaller than half of kernel size, but got padW = 2, padH = 2, kW = 3, kH = 3
```

Message (torch 2.13, of a max_pool1d; `2 or 3`):

```text
RuntimeError: max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:[]
```

Message (torch 1.5 to 2.13; `3 or 4`):

```text
RuntimeError: Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:[1, 0, 4, 4]
```

Message (torch 1.0 to 1.13; `dimensions`):

```text
NotImplementedError: Only 3D, 4D, 5D padding with non-constant padding are supported for now
```

Message (an older torch):

```text
AssertionError: 4D tensors expect 4 values for padding
```

Message (torch 0.1 to 1.1):

```text
RuntimeError: invalid argument 2: input image (T: 1 H: 5 W: 5) smaller than kernel size (kT: 2 kH: 2 kW: 2) at /pytorch/torch/lib/THNN/generic/VolumetricAveragePooling.c:57
```

Message (torch 2.13, of nn.ReplicationPad2d; `3 or 4`):

```text
RuntimeError: Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: [2, 3, 0, 4]
```

Message (torch 2.13, of F.fold; `2 or 3`):

```text
RuntimeError: Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: [27]
```

Message (torch 2.13, of nn.AvgPool3d; `4 or 5`):

```text
RuntimeError: non-empty 4D or 5D (batch mode) tensor expected for input
```

Message (torch 2.13):

```text
RuntimeError: Padding mode "reflect" doesn't take in value argument
```

Message (torch 2.13):

```text
RuntimeError: Negative padding value is resulting in an empty dimension
```

Message (torch 0.1 to 0.2):

```text
NotImplementedError: Only 4D and 5D padding is supported for now
```
"""

from keng.explain.advice.sizes import too_much_padding
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.legacy_messages import WINDOW

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.says(WINDOW, odds=0.93)


@pitfall.explains(
    r"pad should be (?:at most|smaller than(?: or equal to)?) half of (?:effective )?kernel size",
    odds=0.96,
)
def more_than_half(failure: Failure) -> Hits:
    yield failure.hit("pooling takes padding of half of its window at most")


@pitfall.explains(
    r"Padding size should be less than the corresponding input dimension, but got: padding \((?P<pad>[\d, ]+)\) at "
    r"dimension (?P<dim>\d+) of input \[?(?P<shape>[\d, ]+)",
    odds=0.95,
)
def more_than_there_is(failure: Failure) -> Hits:
    pad, dim, shape = (failure.groups[key] for key in ("pad", "dim", "shape"))
    yield failure.hit(too_much_padding(pad, dim, shape))


@pitfall.explains(
    r"Only [\dD,and ]{2,20} padding (?:with non-constant padding are|is) supported",
    r"Padding size \d+ is not supported for \dD input tensor|\dD tensors expect \d values for padding",
    odds=0.95,
)
def of_other_dimensions(failure: Failure) -> Hits:
    yield failure.hit(
        "this kind of padding exists for other dimensions: a batch or channel dimension is missing"
    )


@pitfall.explains(
    r"non-empty (?:(?P<few>\d)D or (?P<many>\d)D|\dD) \(batch mode\) tensor expected for input",
    r"Expected (?P<few>\d)D or (?P<many>\d)D \(batch mode\) tensor (?:for input )?with (?:optional|possibly) 0 (?:dim )?batch size",
    odds=0.93,
)
def nothing_to_pool(failure: Failure) -> Hits:
    few, many = (failure.groups.get(key) or n for key, n in (("few", "3"), ("many", "4")))
    yield failure.hit(
        f"{failure.layer} wants {few} or {many} dimensions, and none of them empty but the batch"
    )


pitfall.answers(
    {
        "t take in value argument": "value= is what mode='constant' fills with: the other modes take it from the input",
        "Negative padding value is resulting in an empty dimension": "negative padding cuts off, and takes here all that a dimension has: smaller numbers, or a slice",
    },
    odds=0.95,
)
