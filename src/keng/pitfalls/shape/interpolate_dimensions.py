r"""An image without a batch dimension is given to `F.interpolate`.

`F.interpolate` takes `(batch, channels, ...)` and resizes what follows. Of an image `(C, H, W)` it takes C for the
batch and H for the channels, and has one dimension to resize: with two sizes or `mode="bilinear"` it refuses, with
one number it resizes the width alone and says nothing.

Cure: `F.interpolate(x.unsqueeze(0), size=(h, w)).squeeze(0)`.

Bad:

```python
import torch
import torch.nn.functional as F

image = torch.zeros(3, 8, 8)
small = F.interpolate(image, size=(4, 4))  # seen: (C, H, W) is no batch
```

Bad (two factors):

```python
import torch
import torch.nn.functional as F

image = torch.zeros(3, 8, 8)
large = F.interpolate(image, scale_factor=(2.0, 2.0))  # seen: (C, H, W) is no batch
```

Bad (bilinear):

```python
import torch
import torch.nn.functional as F

image = torch.zeros(3, 8, 8)
small = F.interpolate(image, size=4, mode="bilinear")  # seen: (C, H, W) is no batch
```

Bad (bicubic):

```python
import torch
import torch.nn.functional as F

image = torch.zeros(3, 8, 8)
large = F.interpolate(image, scale_factor=2, mode="bicubic")  # seen: (C, H, W) is no batch
```

Bad (the channels among the sizes):

```python
import torch
import torch.nn.functional as F

images = torch.zeros(1, 3, 8, 8)
small = F.interpolate(images, size=(3, 4, 4))  # seen: channels are not resized
```

Bad (a mask of two dimensions):

```python
import torch
import torch.nn.functional as F

mask = torch.zeros(8, 8)
small = F.interpolate(mask, size=(4, 4))  # seen: neither batch nor channels
```

Bad (without a word):

```python
import torch
import torch.nn.functional as F

image = torch.zeros(3, 8, 8)
small = F.interpolate(image, size=4)  # seen: resizes the width alone
```

Proof:

```python
assert small.shape == (3, 8, 4)
```

Bad (of a sample that is not square):

```python
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self):
        self.raw = torch.rand(4, 3, 12, 16)

    def __len__(self):
        return len(self.raw)

    def __getitem__(self, index):
        return F.interpolate(self.raw[index], size=8)  # seen: its width alone


batches = list(DataLoader(Pictures(), batch_size=2))
```

Proof:

```python
assert batches[0].shape == (2, 3, 12, 8)
```

Bad (smoothing that does not exist):

```python
import torch
import torch.nn.functional as F

y = F.interpolate(torch.ones(1, 3, 8, 8), 4, mode="nearest", antialias=True)  # seen: `antialias`
```

Good:

```python
import torch
import torch.nn.functional as F

image = torch.zeros(3, 8, 8)
small = F.interpolate(image.unsqueeze(0), size=(4, 4), mode="bilinear").squeeze(0)
```

Fine (sequences; one of as many steps as channels):

```python
import torch
import torch.nn.functional as F

sound = F.interpolate(torch.zeros(4, 2, 100), size=50)
features = F.interpolate(torch.zeros(3, 64, 16), scale_factor=2, mode="linear")
leads = F.interpolate(torch.zeros(1, 12, 12), size=24, mode="linear")
```

Message (torch 1.4 to 2.13; `x[None]`):

```text
RuntimeError: It is expected input_size equals to 4, but got size 3
```

Message (torch 2.13; `whole`):

```text
TypeError: expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with types [<class 'float'>, <class 'int'>]
```

Message (torch 1.6 to 2.13; `scale_factor`):

```text
ValueError: recompute_scale_factor is not meaningful with an explicit size.
```

Message (torch 2.13; `is no mode`):

```text
NotImplementedError: Input Error: Only 3D, 4D and 5D input Tensors supported (got 4D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got bilinar)
```

Message (torch 2.13; `mode='bilinear' is for these`):

```text
NotImplementedError: Got 4D input, but linear mode needs 3D input
```

Message (torch 2.13; `antialias=True`):

```text
ValueError: Lanczos mode requires antialias=True
```

Message (torch 1.7 to 1.10; `2 in all`):

```text
ValueError: size shape must match input shape. Input is 2D, size is 3
```

Message (torch 0.4 to 1.5; `2 in all`):

```text
ValueError: scale_factor shape must match input shape. Input is 2D, scale_factor size is 3
```

Message (torch 1.6 to 1.10; `recompute_scale_factor=True`):

```text
UserWarning: The default behavior for interpolate/upsample with float scale_factor changed in 1.6.0 to align with other frameworks/libraries, and now uses scale_factor directly, instead of relying on the computed output size. If you wish to restore the old behavior, please set recompute_scale_factor=True. See the documentation of nn.Upsample for details.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import Interpolated

pitfall = Pitfall(__name__, __doc__, severity="error")

LINEAR = {3: "linear", 4: "bilinear", 5: "trilinear"}
MODES = ("nearest", "nearest-exact", *LINEAR.values(), "bicubic", "area", "lanczos")


@pitfall.explains(
    r"Input and (?:output|scale_factor) must have the same number of spatial dimensions, but got input with "
    r"spatial dimensions of \[(?P<came>[\d, ]*)\] and (?:output size|scale_factor) of (?:shape )?"
    r"[(\[](?P<wants>[\d., ]*)[)\]]",
    odds=0.95,
)
def sizes_for_other_dimensions(failure: Failure) -> Hits:
    came, wants = (len([n for n in failure.groups[g].split(",") if n]) for g in ("came", "wants"))
    name = failure.live.operands[0].name if len(failure.live.operands) == 1 else "x"
    says = f"{wants} sizes are given, and {came} of the input's dimensions can be resized"
    cure = f"one for each dimension behind the channels, {came} in all"
    if wants == 2 and came == 1:
        cure = f"the batch is missing: {name}.unsqueeze(0), and .squeeze(0) after"
    elif wants == 2 and came == 0:
        cure = f"batch and channels are missing: {name}[None, None], and [0, 0] after"
    yield failure.hit(f"{says}: {cure}", came=came, wants=wants)


@pitfall.explains(
    r"Got (?P<came>\d)D input, but (?P<mode>\w+) mode needs (?P<wants>\d)D input",
    r"Only 3D, 4D and 5D input Tensors supported \(got (?P<came>\d)D\) for the modes: .{1,200} \(got (?P<mode>[\w-]+)\)",
    odds=0.95,
)
def mode_for_other_dimensions(failure: Failure) -> Hits:
    came, mode = int(failure.groups["came"]), failure.groups["mode"]
    wants = int(failure.groups.get("wants") or 4)
    if mode not in MODES:
        yield failure.hit(f"`{mode}` is no mode: {', '.join(MODES)}")
        return
    cure = "batch and channels come first"
    if wants == came + 1:
        cure = "the batch is missing: x.unsqueeze(0), and .squeeze(0) after"
        cure += ", or the channel of masks (N, H, W), x.unsqueeze(1)" if came == 3 else ""
    elif came in LINEAR and mode in LINEAR.values():
        cure = f"mode='{LINEAR[came]}' is for these"
    says = f"{mode} mode takes {wants} dimensions and gets {came}"
    yield failure.hit(f"{says}: {cure}", came=came, wants=wants)


@pitfall.explains(
    r"(?P<what>size|scale_factor) shape must match input shape\. Input is (?P<came>\d)D, (?P=what)(?: size)? is (?P<wants>\d)",
    odds=0.95,
)
def one_for_each_dimension(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(
        f"{wants} sizes are given, and {came} of the input's dimensions can be resized: one for each dimension behind the channels, {came} in all"
    )


@pitfall.watches("interpolate")
def width_alone(seen: Interpolated) -> Hits:
    channels, height, width = seen.shape
    square = channels in (1, 3, 4) and height == width
    picture = seen.one_sample and channels in (3, 4)  # one channel may be a signal of several leads
    if (square or picture) and min(height, width) >= 8:
        says = f"a tensor of shape {seen.shape} is taken for {channels} sequences: its width alone"
        yield seen.hit(f"{says} is resized; unsqueeze(0) makes it a batch")


@pitfall.explains(
    r"expected input_size equals to (?P<wants>\d), but got size (?P<came>\d)", odds=0.95
)
def another_number_of_dimensions(failure: Failure) -> Hits:
    says = "the image has {came} dimensions, and is to have {wants}: x[None] for a batch of one"
    yield failure.hit(says.format(**failure.groups))


pitfall.answers(
    {
        "expected size to be one of int or Tuple": "the size is not of whole numbers: int(...), or // in place of /",
        "recompute_scale_factor is not meaningful with an explicit size": "recompute_scale_factor goes with scale_factor, not with size: without it",
        "Lanczos mode ": "lanczos goes with antialias=True and without align_corners",
        "default behavior for interpolate/upsample with float scale_factor": "a resize by a factor of floats counts otherwise than before torch 1.6: recompute_scale_factor=True for a model trained so",
        "Anti-alias option is restricted to": "antialias=True is for images in bilinear, bicubic or lanczos mode: without it",
    },
    odds=0.95,
)
