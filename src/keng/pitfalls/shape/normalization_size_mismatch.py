r"""A normalization layer was made for another number of features.

BatchNorm and InstanceNorm are made for a number of channels, which stand in dimension 1; GroupNorm
divides them into groups, so they must divide evenly; LayerNorm is made for the last dimensions, as they
come. A LayerNorm for the channels of an image does not see them, since they do not come last.

Cure: make the layer for what arrives; for channels that do not come last use BatchNorm or GroupNorm, or
permute.

Bad:

```python
import torch
from torch import nn

norm = nn.BatchNorm2d(3)
out = norm(torch.ones(2, 4, 8, 8))  # seen: `norm is made for 3 channels, but gets 4`
```

Bad (LayerNorm for channels):

```python
import torch
from torch import nn

norm = nn.LayerNorm(16)
out = norm(torch.ones(2, 16, 8, 8))  # seen: `channels do not come last`
```

Bad (groups):

```python
import torch
from torch import nn

norm = nn.GroupNorm(3, 4)  # seen: `4 channels do not divide into 3 groups`
```

Bad (other channels than its groups divide; `5 channels`):

```python
import torch
from torch import nn

norm = nn.GroupNorm(2, 4)
y = norm(torch.ones(2, 5, 3))  # seen: made for 4
```

Bad (the root mean square, over another size):

```python
import torch
from torch import nn

norm = nn.RMSNorm(4)
y = norm(torch.ones(2, 3))  # seen: `norm` is made for (4) at the end, and gets (2, 3)
```

Bad (channels last):

```python
import torch
from torch import nn

y = nn.BatchNorm1d(3)(torch.ones(2, 7, 3))  # seen: `movedim`
```

Bad (each channel of each sample by itself):

```python
import torch
from torch import nn

norm = nn.InstanceNorm1d(3, track_running_stats=True)
y = norm(torch.ones(2, 4, 7))  # seen: `3 channels, but gets 4`
```

Good:

```python
import torch
from torch import nn

out = nn.BatchNorm2d(4)(torch.ones(2, 4, 8, 8))
out = nn.LayerNorm(16)(torch.ones(2, 8, 8, 16))
norm = nn.GroupNorm(2, 4)
```

Message (torch 0.3 to 2.13, of a batch norm behind what two maps were joined for; `torch.cat of two maps`):

```text
RuntimeError: running_mean should contain 256 elements not 512
```

Message (torch 0.3 to 2.13, of one that two joined maps come to; `before torch.cat`):

```text
RuntimeError: running_mean should contain 128 elements not 64
```

Message (torch 1.13, 2.4):

```text
ValueError: num_channels must be divisible by num_groups
```

Message (torch 2.13; `(2, 4)`):

```text
RuntimeError: Given normalized_shape=[3], expected input with shape [*3], but got input of size[2, 4]
```

Message (torch 2.13; `3 channels, but gets 4`):

```text
ValueError: expected input's size at dim=1 to match num_features (3), but got: 4.
```

Message (torch 2.13; `(2, 6)`):

```text
RuntimeError: Expected weight to be a vector of size equal to the number of channels in input, but got weight of shape [4] and input of shape [2, 6]
```

Message (torch 2.13; `64`):

```text
RuntimeError: Expected weight to be of same shape as normalized_shape, but got weight of shape [32] and normalized_shape = [64]
```

Message (torch 2.13):

```text
RuntimeError: Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []
```

Message (torch 2.1 to 2.13; `affine=False`):

```text
UserWarning: input's size at dim=1 does not match num_features. You can silence this warning by not passing in num_features, which is not used because affine=False
```

Message (torch 1.0 to 2.13, of features of videos; `SlowFast`):

```text
RuntimeError: Given normalized_shape=[2818], expected input with shape [*, 2818], but got input of size[1, 298, 514]
```
"""

from math import gcd, prod

from keng.explain.advice.inputs import channels_for_a_norm, features_missing
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?:running_mean|running_var|weight|bias) should contain (?P<came>\d+) elements not (?P<wants>\d+)",
    r"expected input's size at dim=\d+ to match num_features \((?P<wants>\d+)\), but got: (?P<came>\d+)",
    odds=0.95,
)
def another_number_of_channels(failure: Failure) -> Hits:
    came, wants = int(failure.groups["came"]), int(failure.groups["wants"])
    given = failure.given
    if given is not None and came == prod(given.shape[:2]):  # InstanceNorm counts them all
        came, wants = given.shape[1], wants // given.shape[0]
    says = f"{failure.layer} is made for {wants} channels, "
    if given is not None and given.shape[-1] == wants:
        yield failure.hit(f"{says}which come last and not second: {failure.fed}.movedim(-1, 1)")
    else:
        fix = failure.remade("num_features", 0, wants, came)
        yield failure.hit(f"{says}but gets {came}: {channels_for_a_norm(wants, came)}", fix=fix)


@pitfall.explains(
    r"Given normalized_shape=\[(?P<wants>[\d, ]+)\], expected input with shape \[\*,? ?[\d, ]+\], but got input of size ?\[(?P<came>[\d, ]+)\]",
    odds=0.95,
)
def other_last_dimensions(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    says, fix = f"{failure.layer} is made for ({wants}) at the end, and gets ({came})", None
    if wants in came.split(", ")[1:-1]:
        says += f": the {wants} channels do not come last; GroupNorm(1, {wants}) takes them so"
    elif "," not in wants:
        here, there = int(wants), int(came.split(", ")[-1])
        fix = failure.remade("normalized_shape", 0, here, there)
        says += "" if fix else f": {features_missing(here, there)}"
    yield failure.hit(says, fix)


@pitfall.explains(
    r"num_channels (?:\((?P<channels>\d+)\) )?must be divisible by num_groups(?: \((?P<groups>\d+)\))?",
    odds=0.95,
)
def groups_that_do_not_divide(failure: Failure) -> Hits:
    channels, groups = (int(failure.groups[name] or 0) for name in ("channels", "groups"))
    says = f"{channels} channels do not divide into {groups} groups: num_groups={gcd(channels, groups)}"
    yield failure.hit(says if channels else "the groups do not divide the channels evenly")


@pitfall.explains(
    r"Expected (?:weight|bias) to be a vector of size equal to the number of channels in input, but got \w+ of shape "
    r"\[(?P<wants>\d+)\] and input of shape \[(?P<came>[\d, ]+)\]",
    odds=0.96,
)
def groups_of_other_channels(failure: Failure) -> Hits:
    says = "{} is made for {wants} channels, which come second, and gets ({came})"
    yield failure.hit(says.format(failure.layer, **failure.groups))


@pitfall.explains(
    r"[Ee]xpected number of channels in input to be divisible by num_groups, but got input of shape \[\d+, (?P<came>\d+)",
    odds=0.95,
)
def channels_that_came_do_not_divide(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(f"{failure.layer} gets {came} channels, which its groups do not divide")


@pitfall.explains(
    r"Expected (?P<part>weight|bias) to be of same shape as normalized_shape, but got \w+ of shape \[(?P<has>[\d, ]*)\] and "
    r"normalized_shape = \[(?P<wants>[\d, ]*)\]",
    odds=0.96,
)
def scale_of_another_shape(failure: Failure) -> Hits:
    says = "{} normalizes over ({wants}), and its {part} is of ({has})"
    yield failure.hit(says.format(failure.layer, **failure.groups))


pitfall.answers(
    {
        "Expected normalized_shape to be at least 1-dimensional": "normalized_shape is the size of the last dimension, or those of the last ones, and names none",
        "does not match num_features": "num_features is not the number of channels, which an InstanceNorm with affine=False does not look at: right, but the number is wrong",
    },
    odds=0.97,
)
