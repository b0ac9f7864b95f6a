r"""A mask hides the tokens instead of the padding.

The two kinds of masks of PyTorch say the opposite of each other. `key_padding_mask` of MultiheadAttention and of the
Transformer layers is True where a position is left out, as the mask of `masked_fill(mask, -inf)` is.
`scaled_dot_product_attention` takes a mask that is True where a position takes part, and so do the attention masks of Hugging Face.
Turned round, each token looks at padding alone. The loss still falls a little, by what the other layers learn.

Cure: `src_key_padding_mask=tokens == pad`, or `~real` where the mask says what is real.

Source: PyTorch 2.13, the notes on `key_padding_mask` and on `scaled_dot_product_attention`.

Bad:

```python
import torch
from torch import nn

PAD = 0
torch.manual_seed(0)
tokens = torch.tensor([[5, 6, 7, PAD, PAD], [8, 9, 3, 4, PAD]])
embedding = nn.Embedding(10, 8, padding_idx=PAD)
layer = nn.TransformerEncoderLayer(8, 2, dropout=0.0, batch_first=True)
real = tokens != PAD
out = layer(embedding(tokens), src_key_padding_mask=real)  # here: it is True for words
```

Proof:

```python
other = torch.tensor([[5, 1, 7, PAD, PAD], [8, 1, 3, 4, PAD]])
assert torch.equal(out[:, 0], layer(embedding(other), src_key_padding_mask=real)[:, 0])
right = layer(embedding(tokens), src_key_padding_mask=~real)
assert not torch.allclose(right[:, 0], layer(embedding(other), src_key_padding_mask=~real)[:, 0])
```

Bad (by lengths, in a module):

```python
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x, lengths):
        places = torch.arange(x.size(1), device=x.device)
        valid = places[None, :] < lengths[:, None]
        out, weights = self.attention(x, x, x, key_padding_mask=valid)  # here: as well
        return out, weights


torch.manual_seed(0)
_, weights = Encoder()(torch.randn(2, 5, 8), torch.tensor([3, 4]))
```

Proof:

```python
assert weights[0, :, :3].sum() == 0
```

Bad (by hand, and for scaled_dot_product_attention):

```python
import math

import torch
from torch.nn import functional as F

pad_id = 0
torch.manual_seed(0)
tokens = torch.tensor([[5, 6, 7, pad_id, pad_id], [8, 9, 3, 4, pad_id]])
q, k, v = torch.randn(3, 2, 5, 8)
mask = tokens.ne(pad_id).unsqueeze(1)
scores = q @ k.transpose(-2, -1) / math.sqrt(8)
attention = scores.masked_fill(mask, float("-inf")).softmax(-1)  # here: words get nothing
filling = (tokens == pad_id)[:, None, :]
out = F.scaled_dot_product_attention(q, k, v, attn_mask=filling)  # here: only padding takes part
```

Proof:

```python
assert attention[0, :, :3].sum() == 0
assert torch.allclose(out, attention @ v, atol=1e-6)
```

Good:

```python
import torch
from torch import nn

PAD = 0
tokens = torch.tensor([[5, 6, 7, PAD, PAD], [8, 9, 3, 4, PAD]])
embedding = nn.Embedding(10, 8, padding_idx=PAD)
layer = nn.TransformerEncoderLayer(8, 2, dropout=0.0, batch_first=True)
out = layer(embedding(tokens), src_key_padding_mask=tokens == PAD)
```

Fine (turned round on the way; scores of what comes later; a mask of zeros and ones by hand; a layer of one's own):

```python
import torch
from torch import nn
from torch.nn import functional as F

PAD = 0
tokens = torch.tensor([[5, 6, 7, PAD, PAD], [8, 9, 3, 4, PAD]])
lengths = torch.tensor([3, 4])
x, scores = torch.randn(2, 5, 8), torch.randn(2, 5, 5)
layer = nn.TransformerEncoderLayer(8, 2, batch_first=True)
real = tokens != PAD
layer(x, src_key_padding_mask=~real)
layer(x, src_key_padding_mask=torch.logical_not(tokens.ne(PAD)))
layer(x, src_key_padding_mask=torch.arange(5)[None] >= lengths[:, None])
attention_mask = real.long()
layer(x, src_key_padding_mask=attention_mask == 0)
hidden = scores.masked_fill(attention_mask.unsqueeze(1) == 0, float("-inf"))
hidden = scores.masked_fill(~real.unsqueeze(1), -1e9)
hidden = scores.masked_fill(torch.arange(5)[None, :] > torch.arange(5)[:, None], -1e9)
F.scaled_dot_product_attention(x, x, x, attn_mask=real[:, None, :])


class Pool(nn.Module):
    def forward(self, x, key_padding_mask):
        return (x * key_padding_mask.unsqueeze(-1)).sum(1) / key_padding_mask.sum(1, keepdim=True)


Pool()(x, key_padding_mask=real)
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def words_are_hidden(code: Code) -> Hits:
    for mask, taker, hides in code.masks_turned_round():
        text = code.text_of(mask)
        if hides:
            says = f"`{text}` is True for what is no padding, and `{taker}` hides what is True: `~`"
        else:
            says = f"`{text}` is True for padding, and to `{taker}` that is what takes part: `~`"
        fix = Fix("Turn the mask round", (code.replace(mask, f"~{code.operand(mask)}"),))
        yield code.hit(mask, says, fix)
