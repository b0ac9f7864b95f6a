r"""A dimension cannot be divided into equal parts.

Pixel shuffles, channel shuffles, equal splits and views as a wider dtype cut a dimension
into parts of one size. An image whose height is odd, or channels that were counted for another factor, leave a
rest.

Products of float8 and int8 on a card take multiples of 16 and 8 alone.

Cure: pad or crop the input to a multiple, or choose a factor that divides the size; with float8, leave odd layers in bfloat16.

Bad (channels for a factor of two):

```python
import torch
import torch.nn.functional as F

large = F.pixel_shuffle(torch.ones(1, 3, 4, 4), 2)  # seen: `3 is no multiple of 4`
```

Bad (an odd height):

```python
import torch
import torch.nn.functional as F

small = F.pixel_unshuffle(torch.ones(1, 3, 5, 4), 2)  # seen: `5 is no multiple of 2`
```

Bad (a wider dtype):

```python
import torch

bytes_read = torch.ones(1, 6, dtype=torch.uint8)
values = bytes_read.view(torch.float32)  # seen: `6 is no multiple of 4`
```

Good:

```python
import torch
import torch.nn.functional as F

large = F.pixel_shuffle(torch.ones(1, 12, 4, 4), 2)
small = F.pixel_unshuffle(F.pad(torch.ones(1, 3, 5, 4), (0, 0, 0, 1)), 2)
values = torch.ones(1, 8, dtype=torch.uint8).view(torch.float32)
```

Message (torch 2.13; `3 is no multiple of 2`):

```text
RuntimeError: torch.hsplit attempted to split along dimension 0, but the size of the dimension 3 is not divisible by the split_size 2!
```

Message (torch 2.13, on every rank; `processes`):

```text
RuntimeError: Tensor's dim 0 does not divide equally across group size
```

Message (segmentation_models_pytorch; `512 x 352`):

```text
RuntimeError: Wrong input shape height=500, width=333. Expected image height and width divisible by 32. Consider pad your images to shape (512, 352).
```

Message (diffusers; `520 x 512`):

```text
ValueError: `height` and `width` have to be divisible by 8 but are 513 and 512.
```

Message (vLLM; `among 3`):

```text
ValueError: Total number of attention heads (40) must be divisible by tensor parallel size (3).
```

Message (YOLOv5; `among 3`):

```text
AssertionError: --batch-size 16 must be multiple of WORLD_SIZE 3
```

Message (timm; `drop_last=True`):

```text
AssertionError: Batch size should be even when using this
```

Message (torch 1.12 to 2.13, a Mac; `.cpu()`):

```text
RuntimeError: Adaptive pool MPS: input sizes must be divisible by output sizes. Non-divisible input sizes are not implemented on MPS device yet.
```

Message (torch 2.13, of F.channel_shuffle; `3 is no multiple of 2`):

```text
RuntimeError: Number of channels must be divisible by groups. Got 3 channels and 2 groups.
```

Message (torch 0.1 to 1.9; `halves dimension 1`):

```text
RuntimeError: invalid argument 2: Halving dimension must be even. Dim 1 is size 7 at /pytorch/aten/src/THNN/generic/GatedLinearUnit.c:15
```

Message (torch 2.13; `halves dimension 1`):

```text
RuntimeError: Halving dimension must be even, but dimension 1 is size 7
```

Message (torch 2.13, of a layer before; `out_channels=4 * n`):

```text
RuntimeError: pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=10 is not divisible by 4
```

Message (torch 2.13, of an odd height; `crop to 4`):

```text
RuntimeError: pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=3 is not divisible by 2
```

Message (torch 2.11, of torch._scaled_mm with float8; `F.pad(x, (0, 15))`):

```text
RuntimeError: Expected trailing dimension of mat1 to be divisible by 16 but got mat1 shape: (15x17).
```

Message (torch 2.13, of the same in a graph; `pad it to 32`):

```text
RuntimeError: Expected self.size(1) to be divisible by 16, but got self.size(1)=17
```

Message (torch 2.1 to 2.13, of the second matrix; `17 columns`):

```text
RuntimeError: mat2 shape (32x17) must be divisible by 16
```

Message (torch 2.13, of the second matrix in a graph; `40 rows`):

```text
RuntimeError: Expected both dimensions of mat2 to be divisible by 16 but got torch.Size([40, 16])
```

Message (torch 2.13, of the result of torch._int_mm; `cut the result`):

```text
RuntimeError: mat2.size(1) needs to be greater than 0 and a multiple of 8, but got 17
```

Message (torch 2.13, of torch._int_mm; `a product of int8`):

```text
RuntimeError: self.size(1) needs to be greater than 0 and a multiple of 8, but got 17
```

Message (transformers 3 to 5, of another width; `8 or 12 heads`):

```text
ValueError: The hidden size (768) is not a multiple of the number of attention heads (10)
```

Message (transformers 3 to 5; `10 is no multiple of 3`):

```text
ValueError: The hidden size (10) is not a multiple of the number of attention heads (3)
```
"""

from keng.explain.advice.matrices import leaves_a_rest, padded_for_products
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"input\.size\(-\d\)=(?P<size>\d+) is not divisible by (?P<by>\d+)",
    r"Number of channels must be divisible by groups\. Got (?P<size>\d+) channels and (?P<by>\d+) groups",
    r"the size of the dimension (?P<size>\d+) is not divisible by the split_size (?P<by>\d+)",
    r"(?:hidden size|embed_dim) \((?P<size>\d+)\) is not a multiple of the number of attention heads \((?P<by>\d+)\)",
    r"must be divisible by (?P<by>\d+) to view \w+ as \w+ \(different element sizes\), but got (?P<size>\d+)",
    odds=0.96,
)
def no_multiple(failure: Failure) -> Hits:
    size, by = (int(failure.groups[key]) for key in ("size", "by"))
    yield failure.hit(leaves_a_rest(failure.message, size, by))


@pitfall.explains(
    r"trailing dimension of mat1 to be divisible by (?P<by>16) but got mat1 shape: \(\d+x(?P<columns>\d+)",
    r"Expected self\.size\(1\) to be divisible by (?P<by>16), but got self\.size\(1\)=(?P<columns>\d+)",
    r"(?P<which>self|mat2)\.size\(1\) needs to be greater than 0 and a multiple of (?P<by>8), but got (?P<columns>\d+)",
    r"mat2 shape \((?P<rows>\d+)x(?P<columns>\d+)\)? must be divisible by (?P<by>16)",
    r"both dimensions of mat2 to be divisible by (?P<by>16) but got torch\.Size\(\[(?P<rows>\d+), (?P<columns>\d+)",
    odds=0.96,
)
def product_of_small_numbers(failure: Failure) -> Hits:
    rows, columns, by = (int(failure.groups.get(key) or 0) for key in ("rows", "columns", "by"))
    rows = by if failure.groups.get("which") == "mat2" else rows
    yield failure.hit(padded_for_products(rows, columns, by))


@pitfall.explains(
    r"Halving dimension must be even(?:\. Dim|, but dimension) (?P<dim>\d+) is size (?P<size>\d+)",
    odds=0.96,
)
def halved(failure: Failure) -> Hits:
    dim, size = failure.groups["dim"], failure.groups["size"]
    yield failure.hit(
        f"glu() halves dimension {dim}, whose size {size} is odd: the layer before it gives twice as many"
    )


@pitfall.explains(r"Tensor's dim 0 does not divide equally across group size", odds=0.95)
def over_the_ranks(failure: Failure) -> Hits:
    yield failure.hit("the first dimension is no multiple of the number of processes: pad it")


@pitfall.explains(
    r"Wrong input shape height=(?P<size>\d+), width=(?P<other>\d+)\. Expected image height and width divisible by (?P<by>\d+)",
    r"`height` and `width` have to be divisible by (?P<by>\d+) but are (?P<size>\d+) and (?P<other>\d+)",
    odds=0.96,
)
def image_halved_too_often(failure: Failure) -> Hits:
    size, other, by = (int(failure.groups[key]) for key in ("size", "other", "by"))
    up = tuple(-(-n // by) * by for n in (size, other))
    yield failure.hit(
        f"an image of {size} x {other} is halved until only multiples of {by} fit: pad or resize it to {up[0]} x {up[1]}"
    )


@pitfall.explains(
    r"number of attention heads \((?P<size>\d+)\) must be divisible by tensor parallel size \((?P<by>\d+)\)",
    r"--batch(?:-size)? (?P<size>\d+) must be (?:a )?multiple of (?:WORLD_SIZE|GPU count) (?P<by>\d+)",
    odds=0.96,
)
def over_the_cards(failure: Failure) -> Hits:
    size, by = failure.groups["size"], failure.groups["by"]
    yield failure.hit(
        f"{size} cannot be shared evenly among {by}: a multiple of {by}, or fewer processes"
    )


@pitfall.explains(r"Batch size should be even when using this", odds=0.93)
def mixed_in_pairs(failure: Failure) -> Hits:
    yield failure.hit(
        "mixup joins the samples of a batch in pairs: an even batch_size and drop_last=True"
    )


MPS = "adaptive pooling on MPS divides evenly: sizes that are multiples of the output's, or .cpu() for this layer"
pitfall.answers({"Adaptive pool MPS: input sizes must be divisible": MPS}, odds=0.96)
