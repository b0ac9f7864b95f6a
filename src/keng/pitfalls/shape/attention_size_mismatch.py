r"""Attention gets sizes that its heads or masks do not fit.

`nn.MultiheadAttention(embed_dim, num_heads)` divides the features among the heads, so the number must
divide evenly; its input has `embed_dim` features. A mask of attention is (target length, source length),
or the same for each batch and head, (batch * heads, target, source); a mask of padding is (batch, source
length).

Cure: for heads, a number that divides the features; for masks, the lengths that came: `attn_mask` is
(target, source), `key_padding_mask` (batch, source).

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

Bad (a mask of padding, given as one of attention):

```python
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.ones(2, 5, 8)
padding = torch.arange(5)[None] >= torch.tensor([[5], [3]])
out, _ = attention(x, x, x, attn_mask=padding)  # seen: `key_padding_mask`
```

Bad (the batch where the length is looked for):

```python
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.ones(2, 5, 8)
mask = nn.Transformer.generate_square_subsequent_mask(x.size(1))
out, _ = attention(x, x, x, attn_mask=mask)  # seen: `so batch_first=True`
```

Bad (a padding mask of another batch; `batch_first`):

```python
import torch
from torch import nn

attention, x = nn.MultiheadAttention(4, 2), torch.ones(5, 3, 4)
y = attention(x, x, x, key_padding_mask=torch.zeros(5, 3, dtype=torch.bool))  # seen: 3 by 5
```

Bad (batches of source and target):

```python
import torch
from torch import nn

model = nn.Transformer(8, 2, 1, 1, 16)
out = model(torch.ones(5, 2, 8), torch.ones(5, 3, 8))  # seen: `batch_first=True`
```

Bad (features of source and target):

```python
import torch
from torch import nn

model = nn.Transformer(8, 2, 1, 1, 16)
out = model(torch.ones(5, 2, 8), torch.ones(5, 2, 6))  # seen: `d_model`
```

Good:

```python
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.ones(5, 1, 8)
out, _ = attention(x, x, x, attn_mask=torch.zeros(5, 5, dtype=torch.bool))
```

Message (torch 1.12 to 2.13):

```text
AssertionError: query should be unbatched 2D or batched 3D tensor but received 4-D query tensor
```

Message (torch 1.12 to 2.13):

```text
AssertionError: key shape torch.Size([5, 2, 8]) does not match value shape torch.Size([6, 2, 8])
```

Message (torch 2.0 to 2.13):

```text
RuntimeError: Need attn_mask if specifying the is_causal hint. You may use the Transformer module method `generate_square_subsequent_mask` to create this mask.
```

Message (torch 1.12 to 2.13):

```text
AssertionError: For batched (3-D) `query`, expected `key` and `value` to be 3-D but found 2-D and 2-D tensors respectively
```

Message (torch 2.13; `3`):

```text
AssertionError: Expected key_padded_mask.shape[0] to be 3, but got 2
```

Message (torch 2.13; `heads`):

```text
RuntimeError: Number of heads in key and value must divide the number of heads in query
```

Message (torch 2.13; `two dimensions`):

```text
RuntimeError: Expected query, key, and value to all be at least 2 dimensional, but got query.dim: 1 key.dim: 1 and value.dim: 1 instead.
```

Message (transformers; `(1, 1, 1, 512)`):

```text
ValueError: Attention mask should be of size (1, 1, 1, 513), but is torch.Size([1, 1, 1, 512])
```

Message (transformers; `(8, 10, 10)`):

```text
ValueError: Attention weights should be of size (16, 10, 10), but is torch.Size([8, 10, 10])
```

Message (torch 2.1 to 2.4; `contiguous()`):

```text
RuntimeError: (*bias): last dimension must be contiguous
```

Message (torch 1.12):

```text
RuntimeError: Expected attn_mask->sizes()[0] == batch_size to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)
```

Message (torch 2.13, without a batch; `(3, 2, 2)`):

```text
AssertionError: Expected `attn_mask` shape to be (2, 2, 2) but got torch.Size([3, 2, 2])
```

Message (torch 1.0 to 2.13; `num_heads`):

```text
AssertionError: embed_dim 5 not divisible by num_heads 2
```

Message (torch 1.5 to 1.8; `key_padding_mask`):

```text
RuntimeError: The size of the 2D attn_mask is not correct.
```

Message (torch 1.5 to 1.8; `batch * heads`):

```text
RuntimeError: The size of the 3D attn_mask is not correct.
```

Message (open_clip, of batches that come second for a layer that takes them first; `where 10 is the batch`):

```text
RuntimeError: The shape of the 2D attn_mask is torch.Size([77, 77]), but should be (10, 10).
```

Message (torch 2.13, of other features; `nn.Linear(6, 8)`):

```text
AssertionError: was expecting embedding dimension of 8, but got 6
```

Message (torch 1.9 to 1.12, of another length; `make it of the batch that came`):

```text
AssertionError: expecting key_padding_mask shape of (4, 10), but got torch.Size([4, 12])
```

Message (transformers, of another batch; `another number of heads`):

```text
ValueError: Attention mask should be of size (2, 1, 9, 9), but is torch.Size([1, 1, 9, 9])
```

Message (transformers, of other features; `num_heads times head_dim`):

```text
ValueError: `attn_output` should be of size (2, 8, 9, 64), but is torch.Size([2, 8, 9, 32])
```

Message (transformers, of a mask of fewer dimensions; `batch of one length`):

```text
ValueError: Attention mask should be of size (2, 1, 9, 9), but is torch.Size([2, 9])
```

Bad (features that do not come last):

```python
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.ones(2, 8, 5)
out, _ = attention(x, x, x)  # seen: `x.transpose(1, -1)`
```

Message (torch 1.9 to 1.12; `batch_first=True`):

```text
AssertionError: expecting key_padding_mask shape of (4, 10), but got torch.Size([10, 4])
```

Message (torch 1.9 to 2.13, of a mask for each sample; `mask.repeat_interleave(8, 0)`):

```text
RuntimeError: The shape of the 3D attn_mask is torch.Size([32, 10, 10]), but should be (256, 10, 10).
```
"""

from keng.explain.advice import attended, fits
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"was expecting embedding dimension of (?P<wants>\d+), but got (?P<came>\d+)", odds=0.95
)
def features_for_other_heads(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    cure = attended.embedded_otherwise(failure, wants, came)
    yield failure.hit(f"the attention is made for {wants} features, but gets {came}: {cure}")


@pitfall.explains(
    r"[Tt]he shape of the [23]D attn_mask is (?:torch\.Size\()?[(\[](?P<came>[\d, ]+)[)\]]+,? but should be \((?P<wants>[\d, ]+)\)",
    r"Expected `attn_mask` shape to be \((?P<wants>[\d, ]+)\) but got torch\.Size\(\[(?P<came>[\d, ]+)",
    odds=0.95,
)
def mask_of_other_lengths(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    says = f"a mask of ({came}), where ({wants}) is wanted"
    sizes = ([int(size) for size in each.split(", ")] for each in (wants, came))
    (*_, length), (*batches, there) = sizes
    batch = failure.given.shape[1:2] if failure.given is not None else tuple(batches)
    layer = failure.live.layer
    if heads := attended.heads_apart(wants, came):
        says += f": one for each head of each sample, mask.repeat_interleave({heads}, 0)"
    elif there == length and tuple(batches) == batch:
        says += ": one of padding, (batch, source length), is key_padding_mask"
    elif (there,) == batch and layer is not None and layer.settings.get("batch_first") is False:
        says += ": the batch comes first, so batch_first=True"
    else:
        says += ", target by source length: make it for the sequence that it masks"
    if layer is None and not batches[1:] and there != length:
        says += f", or, where {length} is the batch, batch_first as the inputs come"
    yield failure.hit(says)


@pitfall.explains(
    r"query should be unbatched 2D or batched 3D tensor but received (?P<came>\d)-D",
    r"key(?:'s sequence and batch dims| shape) \S.{0,60}? (?:does|do) not match value",
    r"[Ff]or (?:un)?batched \([23]-D\) `query`, expected",
    odds=0.93,
)
def query_and_key(failure: Failure) -> Hits:
    yield failure.hit(
        "query, key, value and masks do not fit: (L, N, E) each, or (N, L, E) with batch_first=True"
    )


@pitfall.explains(
    r"expecting key_padding_mask shape of \((?P<wants>[\d, ]+)\), but got torch\.Size\(\[(?P<came>[\d, ]+)\]\)",
    r"Expected key_padded_mask\.shape\[(?P<dim>[01])\] to be (?P<wants>\d+), but got (?P<came>\d+)",
    odds=0.96,
)
def padding_mask_of_another_shape(failure: Failure) -> Hits:
    says = "key_padding_mask is (batch, source length), and has {came} where {wants} is wanted"
    cure, fix = fits.padding_mask_turned(failure)
    yield failure.hit(f"{says.format(**failure.groups)}: {cure}", fix)


@pitfall.explains(
    r"(?P<what>Attention mask|Attention weights|`?attn_output`?) should be of size \((?P<wants>[\d, ]+)\), but is (?:torch\.Size\()?[(\[](?P<came>[\d, ]+)",
    odds=0.95,
)
def of_a_model(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key].strip("`") for key in ("what", "wants", "came"))
    cure = attended.of_other_lengths(what, wants, came)
    yield failure.hit(f"{what.lower()} of ({came}), where ({wants}) is wanted: {cure}")


pitfall.answers(
    {
        "divisible by num_heads": "embed_dim is divided among the heads: choose num_heads that divides it evenly",
        "Need attn_mask if specifying the is_causal hint": "is_causal is only a hint here: give the mask as well",
        "The size of the 2D attn_mask is not correct": "attn_mask is (target length, source length): is the batch first in the inputs, batch_first=True; a mask of padding, (batch, source length), is key_padding_mask",
        "The size of the 3D attn_mask is not correct": "attn_mask of three dimensions is (batch * heads, target length, source length)",
        "batch number of src and tgt must be equal": "source and target differ in batch size: (L, N, E), or batch_first=True",
        "feature number of src and tgt must be equal": "source and target have d_model features each, in their last dimension: nn.Linear or nn.Embedding to d_model first",
        "Number of heads in key and value must divide the number of heads in": "the heads of query must be a multiple of those of key and value: enable_gqa=True, (N, heads, L, E)",
        "value to all be at least 2 dimensional": "query, key and value have at least two dimensions: (..., length, features)",
        "(*bias): last dimension must be contiguous": "the mask given to attention was expanded or transposed: attn_mask.contiguous()",
        "Expected attn_mask->sizes()": "the fast path of eval mode takes this mask for one of padding: a newer torch, or key_padding_mask",
    },
    odds=0.96,
)
