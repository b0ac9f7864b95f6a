r"""An argument has a value that PyTorch does not take.

Layers, optimizers, schedulers and loaders look at their arguments when they are made, functions when they are
called: a probability is between 0 and 1, a rate is not negative, channels are divisible by groups, a batch has at
least one sample. The value is wrong itself, comes from a configuration in which two numbers were exchanged, or is
the result of a division that came out as zero.

Cure: print the value where it is handed over; positional arguments that were exchanged are best given by name.

Bad (groups):

```python
from torch import nn

layer = nn.Conv2d(3, 4, 3, groups=2)  # seen: `in_channels must be divisible by groups`
```

Bad (a percentage for a probability):

```python
from torch import nn

layer = nn.Dropout(50)  # seen: `between 0 and 1`
```

Bad (a rate below zero):

```python
import torch
from torch import nn

optimizer = torch.optim.Adam(nn.Linear(2, 2).parameters(), lr=-0.1)  # seen: `-0.1`
```

Bad (a schedule of no steps):

```python
import torch
from torch import nn

optimizer = torch.optim.Adam(nn.Linear(2, 2).parameters(), lr=0.1)
steps = len([]) * 3
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=steps)  # seen: `got 0`
```

Bad (a stride of nothing):

```python
import torch
import torch.nn.functional as F

small = F.max_pool2d(torch.ones(1, 1, 4, 4), 2, stride=-1)  # seen: `greater than zero`
```

Bad (a size that no padding gives):

```python
import torch
from torch import nn

up = nn.ConvTranspose2d(3, 4, 3)
y = up(torch.ones(2, 3, 8, 8), output_size=(40, 40))  # seen: 10 at most
```

Bad (pad with more pairs than dimensions):

```python
import torch
import torch.nn.functional as F

F.pad(torch.ones(5), (1, 1, 2, 2))  # seen: `a pair of numbers`
```

Message (torch 1.0 to 1.11; `a pair of numbers`):

```text
AssertionError: Padding length too large
```

Bad (no pieces):

```python
import torch

parts = torch.ones(5).chunk(0)  # seen: none
```

Bad (a device where its kind is wanted):

```python
import torch

with torch.autocast(torch.device("cpu")):  # seen: "cpu" is wanted
    pass
```

Bad (pieces of nothing):

```python
import torch

pieces = torch.ones(5).split(0)  # seen: `split_size`
```

Bad (parts that do not add up):

```python
from torch.utils.data import random_split

samples = range(101)
parts = [int(share * len(samples)) for share in (0.8, 0.2)]
train, test = random_split(samples, parts)  # seen: `[0.8, 0.2]`
```

Bad (a closure that returns nothing):

```python
import torch
from torch import nn

model, x = nn.Linear(3, 1), torch.ones(4, 3)
optimizer = torch.optim.LBFGS(model.parameters())


def closure():
    optimizer.zero_grad()
    model(x).square().mean().backward()


optimizer.step(closure)  # seen: `return loss`
```

Good:

```python
import torch
from torch import nn

layer = nn.Sequential(nn.Conv2d(4, 4, 3, groups=2), nn.Dropout(0.5))
optimizer = torch.optim.Adam(layer.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=12)
```

Message (torch 1.5 to 2.13):

```text
ValueError: Nesterov momentum requires a momentum and zero dampening
```

Message (torch 1.9 to 2.13):

```text
ValueError: padding='same' is not supported for strided convolutions
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: random_ expects 'from' to be less than 'to', but got from=5 >= to=5
```

Message (torch 1.0 to 2.13):

```text
ValueError: either size or scale_factor should be defined
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: upper bound and larger bound inconsistent with step sign
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: non-positive stride is not supported
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: stride should not be zero
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: bernoulli_ expects p to be in [0, 1], but got p=2
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)=10 and kernel_size=(2, 2).
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: Given output_size=(4, 4), kernel_size=(2, 2), dilation=(1, 1), padding=(0, 0), stride=(1, 1), expected size of input's dimension 2 to match the calculated number of sliding blocks 3 * 3 = 9, but got input.size(2)=4.
```

Message (torch 1.0 to 2.13):

```text
ValueError: meen is not a valid value for reduction
```

Message (torch 0.4 to 2.13):

```text
ValueError: align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear
```

Message (torch 2.13, of a ReduceLROnPlateau):

```text
ValueError: mode lowest is unknown!
```

Message (torch 2.13):

```text
RuntimeError: split expects split_size be non-negative, but got split_size=-1
```

Message (torch 2.13; `[0, 1]`):

```text
RuntimeError: quantile() q must be in the range [0, 1] but got 2
```

Message (torch 2.13; `non-negative`):

```text
RuntimeError: number of steps must be non-negative
```

Message (torch 2.13; `from=2 > to=1`):

```text
RuntimeError: uniform_ expects to return a [from, to) range, but found from=2 > to=1
```

Message (torch 2.13; `zeros`):

```text
ValueError: Only "zeros" padding mode is supported for ConvTranspose2d
```

Message (torch 2.13; `[17, 17] to [18, 18]`):

```text
ValueError: requested an output size of (30, 30), but valid sizes range from [17, 17] to [18, 18] (for an input of torch.Size([8, 8]))
```

Message (torch 2.13; `beta`):

```text
RuntimeError: smooth_l1_loss does not support negative values for beta.
```

Message (torch 2.13; `tanh`):

```text
RuntimeError: approximate argument must be either none or tanh.
```

Message (torch 2.13; `foo`):

```text
ValueError: Unknown nonlinearity 'foo'. Select from 'tanh' or 'relu'.
```

Message (torch 2.13; `'min' or 'max'`):

```text
RuntimeError: torch.clamp: At least one of 'min' or 'max' must not be None
```

Message (torchaudio 0.13 to 2.8; `normalized`):

```text
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    mel = spectrogram(audio)
  File "/env/lib/python3.10/site-packages/torchaudio/functional/functional.py", line 239, in _get_spec_norms
    raise TypeError("Input type not supported")
TypeError: Input type not supported
```

Message (torch 2.13; `-0.4`):

```text
RuntimeError: rtol must be greater than or equal to zero, but got -0.4
```

Message (torch 2.13; `0 -> inf`):

```text
RuntimeError: unsupported range: 0 -> inf
```

Message (torch 2.13; `M=-1`):

```text
ValueError: hamming requires non-negative window length, got M=-1
```

Message (torch 2.13; `label_smoothing`):

```text
RuntimeError: label_smoothing must be between 0.0 and 1.0. Got: 1.5
```

Message (torch 2.13; `0.8`):

```text
ValueError: beta2_decay should be <= 0 but is: 0.8
```

Message (torch 0.1 to 2.13, of a ConvTranspose3d; `elements`):

```text
ValueError: output_size must have 3 or 5 elements (got 2)
```

Message (torch 2.13; `min_val`):

```text
ValueError: min_val cannot be greater than max_val
```

Message (torch 2.13; `padding length`):

```text
RuntimeError: Padding length must be divisible by 2
```

Message (torch 2.13; `is not finite`):

```text
RuntimeError: torch.histc: range of [nan, nan] is not finite
```

Message (torchvision 0.5 and later; `std evaluated to zero`):

```text
ValueError: std evaluated to zero after conversion to torch.float32, leading to division by zero.
```

Message (torch 2.13):

```text
RuntimeError: pixel_shuffle expects a positive upscale_factor, but got 0
```

Message (torch 2.13):

```text
ValueError: TripletMarginLoss: expected margin to be greater than 0, got 0 instead
```

Message (torch 2.13):

```text
RuntimeError: pdist only supports non-negative p values
```

Message (torch 2.13):

```text
RuntimeError: renorm: non-positive-norm not supported
```

Bad (a margin of nothing):

```python
from torch import nn

loss_of = nn.TripletMarginLoss(margin=0)  # seen: `margin`
```

Message (torch 2.13; `a whole number`):

```text
ValueError: Expected positive integer total_steps, but got 312.5
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.refused_words import to_be

pitfall = Pitfall(__name__, __doc__, severity="error")

FRACTION = re.compile(r"integer .{1,40} \d+\.\d")


@pitfall.explains(
    r"(?P<said>(?:in|out)_channels must be divisible by groups)",
    r"(?P<said>dropout\w* probability has to be between 0 and 1, but got \S{1,20})",
    r"(?P<said>Invalid (?:learning rate|beta parameter|\w{1,20} parameter|(?:momentum|weight_decay|epsilon|rho|alpha|eta|lr_decay|"
    r"initial_accumulator_value|momentum_decay) values?)[\w ]{0,20}: (?:[-\d.]|nan|inf|tensor)\S{0,30})",
    r"(?P<said>Expected (?:positive|non-negative) (?:integer )?\w{1,30}, but got \S{1,20})",
    r"(?P<said>Nesterov momentum requires a momentum and zero dampening)",
    r"(?P<said>padding='same' is not supported for strided convolutions|Invalid padding string [^,]{1,40})",
    r"(?P<said>(?:\b\w{3,20}_|normal|bernoulli) expects .{3,60}, but (?:got|found) [^.]{1,60})",
    r"(?P<said>pixel_\w{1,20} expects a positive \w{1,30}, but got \S{1,20}|[Ee]xpected (?:margin|num groups) to be greater than 0, got -?[\d.]*\d|[cp]dist only supports non-negative p values|renorm: non-positive-norm not supported)",
    r"(?P<said>(?:either|only one of) size or scale_factor should be defined)",
    r"(?P<said>upper bound and \w+ bound inconsistent with step sign)",
    r"(?P<said>(?:kernel size|stride|dilation) should (?:be greater than zero, but got [^\n]{1,60}|not be zero))",
    r"(?P<said>non-positive stride is not supported)",
    r"(?P<said>Expected `\w+` of type `[\w.]+`, got: `<class '[\w.]+'>`)",
    r"(?P<said>expected size of input's dimension \d+ to match the calculated number of sliding blocks[^,\n]{0,60})",
    r"(?P<said>Expected size of input's dimension \d+ to be divisible by the product of kernel_size)",
    r"(?P<said>(?:chunk|split|split_with_sizes|tensor_split) expects [`\w ]{3,40} (?:greater than 0|non-negative), (?:but )?got:? \S{1,30})",
    r"(?P<said>number of sections must be larger than 0, got \S{1,20}|[Rr]epeats (?:can not be|must be non-)negative|step is 0 but must be > 0|negative padding is not supported|number of steps must be non-negative)",
    r"(?P<said>split_size can only be 0 if dimension size is 0|step must be nonzero|n must be greater or equal to 0, got \S{1,20}|expected rounding_mode to be one of [^\n]{5,60})",
    r"(?P<said>quantile\(\) q must be in the range \[0, 1\] but got \S{1,20})",
    r"(?P<said>\b\w+ expects to return a \[from, to\) range, but found from=\S{1,20} > to=\S{1,20})",
    r"(?P<said>requested an output size of .{3,60}?, but valid sizes range from \[[\d, ]+\] to \[[\d, ]+\])",
    r"(?P<said>\b\w+_loss does not support (?:negative|non-positive) values for \w+)",
    r"(?P<said>\b[\w()]{1,40}(?: \w{2,12})? must be (?:greater (?:than )?(?:or equal to )?(?:zero|0)|non-negative|positive(?: during training)?)"
    r",? (?:but )?got:? (?:\w+: )?-?[\d.e-]{1,20})",
    r"(?P<said>unsupported range: \S{1,20} -> \S{1,20}|\b\w{3,20} requires non-negative window(?: length, got M|_length, got window_length)=-?\d{1,9})",
    r"(?P<said>Invalid reduction mode: \w{1,30}|`inputs` argument to `\w+\(\)` cannot be empty|blank must be in label range|[Pp]adding length (?:must be divisible by 2|should be less than [^\n]{3,60}))",
    r"(?P<said>histc: range of \[[^\]]{3,30}\] is not finite|var (?:has negative entry|is of incorrect size)|(?<!\w )length must be non-negative|set_num_\w{1,30} expects a positive integer|\b\w{1,40} argument must be in \[\d{1,9},\d{1,9}\] range, but -?\d+ is given|lambda must be in range \[[^\]]{1,30}\])",
    r"(?P<said>label_smoothing must be between 0\.0 and 1\.0|\b(?:hidden_size|input_size|num_layers) must be greater than zero)",
    r"(?P<said>\b\w{2,20} should be [<>]=? \d but is: \S{1,20})",
    r"(?P<said>output_size'? (?:must be \d\b|must have \d or \d elements|should contain \w{3,5} ints?) \(got \d+\))",
    r"(?P<said>min_val cannot be greater than max_val|only p == 1 and p == 2 supported|divisor must be not zero|"
    r"non-positive groups is not supported|expected total rotation dims == 2, but got dims = \d)",
    r"(?P<said>\w{2,40} is not a valid value for reduction)",
    r"(?P<said>align_corners option can only be set with the interpolating modes)",
    r"(?P<said>\bmode \w{1,20} is unknown)!",
    r"(?P<said>(?:Only|only) .zeros. padding mode is supported for ConvTranspose\dd)",
    r"(?P<said>(?:approximate|reduce) argument must be either [\w, ]{3,60})",
    r"(?P<said>Unknown nonlinearity '\w+'\. Select from 'tanh' or 'relu'|proj_size argument is only supported for LSTM)",
    r"(?P<said>At least one of 'min' or 'max' must not be None|std evaluated to zero after conversion to [\w.]{3,20}\w)",
    odds=0.93,
)
def out_of_range(failure: Failure) -> Hits:
    said = failure.groups["said"].rstrip(".")
    whole = ": a whole number, as int() and // give it" if FRACTION.search(said) else to_be(said)
    yield failure.hit(f"a value is refused: {said[0].lower() + said[1:]}{whole}")


@pitfall.explains(r"(?P<said>\b\w{2,40} (?:must be|should be|has to be) [^.\n]{3,100})", odds=0.65)
def refused_by_torch(failure: Failure) -> Hits:
    last = failure.raised_in
    if last.endswith("torch/optim/lbfgs.py") and "NoneType" in failure.message:
        yield failure.hit("the closure that step() is given returns nothing: return loss")
        return
    if re.search(r"-packages/torch/(?:nn|optim|distributions|utils/data)/", last):
        yield from out_of_range(failure)


@pitfall.explains(r"(?:^|Error: )Input type not supported$", odds=0.93)
def of_a_spectrogram(failure: Failure) -> Hits:
    if failure.frames and "torchaudio" in failure.frames[-1].path:
        says = "`normalized` of a spectrogram is a bool, 'window' or 'frame_length'"
        yield failure.hit(f"{says}, and another kind came")


PAIRS = "more pairs of numbers than dimensions: F.pad takes a pair of numbers for each dimension, from the last"
pitfall.answers(
    {
        "Sum of input lengths does not equal the length of the input dataset": "the parts of random_split do not add up to "
        "len(dataset), as rounded ones, or those of another data set: fractions, [0.8, 0.2], or the last part as the rest",
        "Padding length too large": PAIRS,
        "Padding length should be less than or equal to two times the input dimension": PAIRS,
    },
    odds=0.95,
)
