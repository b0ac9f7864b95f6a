# by lengths, in a module
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x, lengths):
        places = torch.arange(x.size(1), device=x.device)
        valid = places[None, :] < lengths[:, None]
        out, weights = self.attention(x, x, x, key_padding_mask=valid)  # check: as well
        return out, weights


torch.manual_seed(0)
_, weights = Encoder()(torch.randn(2, 5, 8), torch.tensor([3, 4]))

# proof
assert weights[0, :, :3].sum() == 0
