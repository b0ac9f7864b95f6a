# numbers added to scores; a diagonal that hides itself; a mask given to a module that keeps what is True
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def forward(self, q, k, v, mask):
        scores = q @ k.transpose(-2, -1)
        scores = scores.masked_fill(mask == 0, float("-inf"))
        return scores.softmax(-1) @ v


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()

    def forward(self, x):
        later = torch.triu(torch.ones(x.size(1), x.size(1)), diagonal=1)
        return self.attention(x, x, x, later)  # check: hides the past


def itself(q):
    scores = q @ q.transpose(1, 2)
    hidden = torch.triu(torch.ones(q.size(1), q.size(1), dtype=torch.bool))
    return F.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)  # check: from itself


torch.manual_seed(0)
x = torch.randn(2, 5, 8)
layer = nn.TransformerEncoderLayer(8, 2, dropout=0.0, batch_first=True)
mask = torch.tril(torch.ones(5, 5))
out = layer(x, src_mask=mask)  # check: nothing is hidden
weights = itself(x)
decoded = Decoder()(x)

# proof
assert weights[:, 0].isnan().all()
changed = x.clone()
changed[:, 4] += 1
assert not torch.allclose(layer(changed, src_mask=mask)[:, 0], out[:, 0])
assert not torch.allclose(Decoder()(changed)[:, 0], decoded[:, 0])
