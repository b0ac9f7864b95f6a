r"""A layer is made with numbers or words that contradict what it computes.

A constructor looks at what it is given, and so does a layer that halves or groups its channels. A share is given as a percentage, the projection of an LSTM is
to be larger than what it projects, a gated unit gets an odd number of channels, a function is named that the layer does not know by that name, or a size of a
configuration is still zero.

Cure: shares between 0 and 1; the function itself where a name is not known, `activation=F.silu`; sizes from the data, `x.shape[-1]`, and not from a default.

Bad (a percentage):

```python
from torch import nn

layer = nn.LSTM(8, 8, num_layers=2, dropout=20)  # seen: `0.2`
```

Bad (a function by its name):

```python
from torch import nn

layer = nn.TransformerEncoderLayer(8, 2, activation="silu")  # seen: `silu`
```

Bad (no features):

```python
from torch import nn

layer = nn.MultiheadAttention(0, 2)  # seen: `embed_dim=0`
```

Bad (a projection to more):

```python
from torch import nn

layer = nn.LSTM(8, 8, proj_size=16)  # seen: `hidden_size`
```

Bad (a size that is no whole number):

```python
from torch import nn

layer = nn.Unflatten(1, (4, 8 / 2))  # seen: `//`
```

Bad (a map of another name):

```python
from torch import nn
from torch.nn.utils.parametrizations import orthogonal

layer = orthogonal(nn.Linear(2, 2), orthogonal_map="qr")  # seen: `householder`
```

Bad (groups of nothing):

```python
from torch import nn

layer = nn.Conv2d(4, 4, 3, groups=0)  # seen: `groups=1`
```

Bad (no room for a root):

```python
import torch
from torch import nn

y = nn.BatchNorm1d(2, eps=0)(torch.ones(3, 2))  # seen: `1e-5`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

layer = nn.LSTM(8, 8, num_layers=2, dropout=0.2, proj_size=4)
block = nn.TransformerEncoderLayer(8, 2, activation=F.silu)
y = F.glu(torch.ones(2, 6))
apart = nn.Unflatten(1, (4, 8 // 2))
```

Message (torch 1.9 to 2.13; `pack_padded_sequence`):

```text
ValueError: batch_sizes should always be on CPU. Instances of PackedSequence should never be created manually. They should be instantiated by functions like pack_sequence and pack_padded_sequences in nn.utils.rnn. https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence
```

Message (torch 1.8 to 2.13; `tuple`):

```text
UserWarning: For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received <class 'dict'>
```

Message (torchvision 0.8 and later; `feature map`):

```text
ValueError: Anchors should be Tuple[Tuple[int]] because each feature map could potentially have different sizes and aspect ratios. There needs to be a match between the number of feature maps passed and the number of sizes / aspect ratios specified.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"activation should be relu/gelu, not (?P<came>\S{1,40})", odds=0.97)
def function_by_another_name(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(
        f"a transformer layer knows 'relu' and 'gelu' by name, and not {came}: give the function, activation=F.{came}"
    )


@pitfall.explains(
    r"embed_dim and num_heads must be greater than 0, got (?P<sizes>embed_dim=-?\d+ and num_heads=-?\d+)",
    odds=0.97,
)
def attention_of_nothing(failure: Failure) -> Hits:
    yield failure.hit(
        f"an attention without features or heads, {failure.groups['sizes']}: from a configuration, perhaps"
    )


PROJECTION = (
    "the projection of an LSTM makes its state smaller: proj_size below hidden_size, or 0 for none"
)
pitfall.answers(
    {
        "dropout should be a number in range [0, 1]": "dropout of a recurrent layer is a share and no percentage: 0.2",
        "proj_size has to be smaller than": PROJECTION,
        "proj_size should be a positive integer or zero": PROJECTION,
        "unflattened_size must be ": "the sizes of Unflatten are a tuple of whole numbers: // in place of /",
        "orthogonal_map has to be one of": "orthogonal knows orthogonal_map='matrix_exp', 'cayley' and 'householder'",
        "groups must be a positive integer": "a convolution has groups=1 where all channels go together, and groups=in_channels where none do",
        "batch_norm eps must be ": "eps keeps the root of a variance of 0 apart from 0: 1e-5, as by default",
        "Anchors should be Tuple[Tuple[int]]": "a detector wants one tuple of anchor sizes and one of ratios for each feature map: sizes=((32,), (64,), (128,)), aspect_ratios=((0.5, 1.0, 2.0),) * 3",
        "batch_sizes should always be on CPU": "a PackedSequence is not made or moved part by part: pack_padded_sequence, and packed.to(device)",
        "For backward hooks to be called, module output should": "a full backward hook sees tensors that a module gives alone or in a tuple: in a dict it is not called",
    },
    odds=0.96,
)
