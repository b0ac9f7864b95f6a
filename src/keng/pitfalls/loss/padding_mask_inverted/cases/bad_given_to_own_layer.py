# a mask that a method makes, given to a layer of the project that keeps what is True
import torch
from torch import nn
from torch.nn import functional as F

PAD = 0


class Attention(nn.Module):
    def forward(self, q, k, v, mask=None):
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            mask = mask.unsqueeze(1)
            scores = scores.masked_fill(mask == 0, -1e9)
        return F.softmax(scores, dim=-1) @ v


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()

    def forward(self, x, src_mask):
        return x + self.attention(x, x, x, mask=src_mask)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.block = nn.Embedding(10, 8), Block()

    def make_mask(self, ids):
        return ids == PAD

    def forward(self, ids):
        mask = self.make_mask(ids)
        return self.block(self.embed(ids), mask)  # check: the mask is inverted


torch.manual_seed(0)
encoder, ids = Encoder(), torch.tensor([[5, 6, 7, PAD], [8, 9, PAD, PAD]])
out = encoder(ids)

# proof
changed = ids.clone()
changed[0, 1] = 3
assert torch.allclose(encoder(changed)[0, 0], out[0, 0])  # another word is not seen
