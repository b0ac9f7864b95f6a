r"""Attention gets sizes that its heads or masks do not fit.

`nn.MultiheadAttention(embed_dim, num_heads)` divides the features among the heads, so the number must
divide evenly; its input has `embed_dim` features. A mask of attention is (target length, source length),
or the same for each batch and head, (batch * heads, target, source); a mask of padding is (batch, source
length).

Cure: choose heads that divide the features; make masks for the lengths that came.

Bad:

```python
from torch import nn

attention = nn.MultiheadAttention(10, 4)  # seen: heads divide evenly
```

Bad (other features):

```python
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.ones(5, 2, 6)
out, _ = attention(x, x, x)  # seen: `made for 8 features, but gets 6`
```

Bad (a mask of other lengths):

```python
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.ones(5, 1, 8)
mask = torch.zeros(4, 4, dtype=torch.bool)
out, _ = attention(x, x, x, attn_mask=mask)  # seen: `a mask of (4, 4), where (5, 5) is wanted`
```

Good:

```python
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.ones(5, 1, 8)
out, _ = attention(x, x, x, attn_mask=torch.zeros(5, 5, dtype=torch.bool))
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"embed_dim must be divisible by num_heads", odds=0.95)
def heads_that_do_not_divide(failure: Failure) -> Hits:
    yield failure.hit(
        "embed_dim is divided among the heads: choose num_heads that divides it evenly"
    )


@pitfall.explains(
    r"was expecting embedding dimension of (?P<wants>\d+), but got (?P<came>\d+)", odds=0.95
)
def features_for_other_heads(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"the attention is made for {wants} features, but gets {came}")


@pitfall.explains(
    r"[Tt]he shape of the [23]D attn_mask is (?:torch\.Size\()?[(\[](?P<came>[\d, ]+)[)\]]+,? but should be "
    r"\((?P<wants>[\d, ]+)\)",
    odds=0.95,
)
def mask_of_other_lengths(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"a mask of ({came}), where ({wants}) is wanted: target by source length")
