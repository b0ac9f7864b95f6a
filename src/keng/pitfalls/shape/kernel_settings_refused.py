r"""The settings of a convolution or a pooling do not go together.

Kernel, stride, padding, dilation and output size are one number for all dimensions, or one for each of them: `max_pool2d` takes one or
two. The bias of a convolution has a number for each output channel, its groups divide the output channels too. `output_padding` only picks
one of the sizes that a stride or dilation leaves open, and unpooling can give back only sizes that its pooling could have had.

Cure: print the settings that come from a configuration; one number where all dimensions are alike; the input's own size as
`output_size` of what undoes a pooling.

Bad (too many numbers):

```python
import torch
import torch.nn.functional as F

y = F.max_pool2d(torch.ones(1, 3, 8, 8), (2, 2, 2))  # seen: `two numbers`
```

Bad (a bias of another size):

```python
import torch
import torch.nn.functional as F

weight, bias = torch.ones(4, 3, 3, 3), torch.ones(3)
y = F.conv2d(torch.ones(1, 3, 8, 8), weight, bias)  # seen: `4 output channels`
```

Bad (groups):

```python
import torch
import torch.nn.functional as F

y = F.conv2d(torch.ones(1, 3, 8, 8), torch.ones(4, 1, 3, 3), groups=3)  # seen: `4 output channels`
```

Bad (a weight of two dimensions):

```python
import torch
import torch.nn.functional as F

y = F.conv1d(torch.ones(2, 3, 4), torch.ones(5, 3))  # seen: `unsqueeze`
```

Bad (more than is open):

```python
import torch
from torch import nn

y = nn.ConvTranspose2d(3, 4, 3, output_padding=1)(torch.ones(1, 3, 8, 8))  # seen: `output_padding`
```

Bad (a size that was never pooled):

```python
import torch
import torch.nn.functional as F

y, where = F.max_pool2d(torch.ones(1, 3, 8, 8), 2, return_indices=True)
x = F.max_unpool2d(y, where, 2, output_size=(20, 20))  # seen: `from 7 to 9`
```

Bad (indices of another pooling):

```python
import torch
import torch.nn.functional as F

y, where = F.max_pool2d(torch.ones(1, 3, 32, 32), 8, return_indices=True)
x = F.max_unpool2d(y, where, 2)  # seen: `8 x 8`
```

Bad (a kernel that is too long):

```python
import torch
import torch.nn.functional as F

y = F.max_pool1d(torch.ones(2, 3, 4), 9)  # seen: `longer`
```

Bad (no size to come to):

```python
import torch
import torch.nn.functional as F

y = F.adaptive_avg_pool2d(torch.ones(1, 3, 8, 8), (1, -1))  # seen: `None`
```

Bad (around more than once):

```python
import torch
import torch.nn.functional as F

y = F.pad(torch.ones(3, 8, 8), (9, 0, 0, 0), mode="circular")  # seen: `circular`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

x = torch.ones(1, 3, 8, 8)
y, where = F.max_pool2d(x, 2, return_indices=True)
x = F.max_unpool2d(y, where, 2, output_size=x.shape)
y = F.conv2d(x, torch.ones(6, 1, 3, 3), torch.ones(6), groups=3)
y = nn.ConvTranspose2d(3, 4, 3, stride=2, output_padding=1)(x)
y = F.adaptive_avg_pool2d(x, (1, None))
```

Message (torch 2.13; `one number or 3`):

```text
RuntimeError: dilation cannot broadcast to 3 dimensions
```

Message (torch 2.13; `dilation`):

```text
RuntimeError: non-positive dilation is not supported
```

Message (torch 2.13; `2 numbers`):

```text
RuntimeError: adaptive_max_pool2d(): internal error: output_size.size() must be 2
RuntimeError: adaptive_avg_pool2d: output_size must be 2
```

Message (torch 2.13; `8 output channels`):

```text
RuntimeError: Given transposed=1, weight of size [3, 8, 3, 3], expected bias to be 1-dimensional with 8 elements, but got bias of size [3] instead
```

Message (torch 2.13, of F.unfold; `2 numbers`):

```text
RuntimeError: It is expected kernel_size equals to 2, but got size 3
```

Message (torch 2.13):

```text
RuntimeError: could not construct a memory descriptor using a format tag
```

Bad (how large):

```python
from torch import nn

pool = nn.FractionalMaxPool2d(2)  # seen: `output_ratio`
```

Bad (both sizes):

```python
from torch import nn

pool = nn.FractionalMaxPool2d(2, output_size=4, output_ratio=0.5)  # seen: `output_ratio`
```

Bad (a size of one dimension):

```python
import torch
from torch import nn

pool = nn.MaxUnpool2d(2)
indices = torch.zeros(1, 1, 2, 2, dtype=torch.long)
y = pool(torch.ones(1, 1, 2, 2), indices, output_size=(4,))  # seen: `x.shape`
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"_pool\dd: (?P<name>\w+) must (?:either )?be (?:omitted, )?a single int, or a tuple of (?P<n>two|three) ints",
    r"\b(?P<name>kernel_size|stride|padding|output_padding|dilation) cannot broadcast to (?P<n>\d) dimensions",
    r"[Ii]t is expected (?P<name>kernel_size|stride|padding|dilation|output_size) equals to (?P<n>\d), but got size \d",
    r"\badaptive_\w+_pool\dd(?:\(\): internal error)?: (?P<name>output_size)(?:\.size\(\))? must be (?P<n>\d)",
    odds=0.95,
)
def another_number_of_numbers(failure: Failure) -> Hits:
    name, n = failure.groups["name"], failure.groups["n"]
    yield failure.hit(f"`{name}` is one number or {n} numbers, one for each dimension")


@pitfall.explains(
    r"Given (?:transposed=1, )?weight of size \[[\d, ]+\], expected bias to be 1-dimensional with (?P<channels>\d+) elements, but got bias of size "
    r"\[(?P<came>[\d, ]*)\]",
    odds=0.96,
)
def bias_of_another_size(failure: Failure) -> Hits:
    channels, came = failure.groups["channels"], failure.groups["came"]
    yield failure.hit(
        f"the weight has {channels} output channels, and the bias is [{came}]: one number for each of them"
    )


@pitfall.explains(
    r"Given groups=(?P<groups>\d+), expected weight to be divisible by \d+ at dimension 0, but got weight of size \[+(?P<channels>\d+)",
    odds=0.96,
)
def groups_that_do_not_divide(failure: Failure) -> Hits:
    groups, channels = failure.groups["groups"], failure.groups["channels"]
    yield failure.hit(
        f"the {channels} output channels of the weight are not divided by {groups} groups"
    )


@pitfall.explains(
    r"output padding must be smaller than either stride or dilation, but got (?P<got>output_padding_\w+: \d+)",
    odds=0.96,
)
def more_than_is_open(failure: Failure) -> Hits:
    yield failure.hit(
        f"output_padding picks one of the sizes that stride or dilation leaves open, and is smaller than these: {failure.groups['got']}"
    )


@pitfall.explains(
    r"invalid output_size \"(?P<size>[^\"]{1,60})\" \(dim \d must be between (?P<low>-?\d+) and (?P<high>\d+)\)",
    odds=0.96,
)
def never_pooled(failure: Failure) -> Hits:
    low, high = int(failure.groups["low"]) + 1, int(failure.groups["high"]) - 1
    yield failure.hit(
        f"output_size is {failure.groups['size']}, and this pooling came from {low} to {high}: output_size=x.shape of the pooling's input"
    )


@pitfall.explains(
    r"Found an invalid max index: (?P<index>-?\d+) \(output volumes are of size (?P<size>[\dx]+)\)",
    odds=0.96,
)
def of_another_pooling(failure: Failure) -> Hits:
    index, size = failure.groups["index"], failure.groups["size"].replace("x", " x ")
    yield failure.hit(
        f"place {index} lies outside of what is given back, {size}: the indices, kernel_size and stride of one pooling, or output_size="
    )


ONE = "a fractional pooling wants one of the two: output_size=, or output_ratio= between 0 and 1"
pitfall.answers(
    {
        "weight should have at least three dimensions": "the weight of a convolution is (out channels, in channels / groups, kernel) and has fewer dimensions: weight.unsqueeze(-1) for a kernel of 1",
        "max_pool1d() Invalid computed output size": "the kernel is longer than what it goes over: a smaller kernel, or longer inputs",
        "elements of output_size must be greater than or equal to 0": "an output size is 0 or more, or None for the input's own",
        "requires specifying either an output": ONE,
        "only one of output_size and output_ratio may": ONE,
        "output_size should be a sequence containing": "output_size has the image's dimensions, or all of them: x.shape of what was pooled",
        "negative output_padding is not supported": "output_padding is 0 or more, and smaller than stride or dilation",
        "non-positive dilation is not supported": "dilation is 1 or more; 1 is none",
        "Padding value causes wrapping around more than once": "mode='circular' pads with the input's other end, which is used up: padding of at most the input's size",
        "could not construct a memory descriptor using a format tag": "a transposed convolution would give less than nothing: its padding takes more than there is, or its input is empty",
    },
    odds=0.96,
)
