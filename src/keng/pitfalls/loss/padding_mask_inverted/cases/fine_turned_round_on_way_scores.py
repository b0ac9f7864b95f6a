# inverted on the way; scores of later positions; a mask of zeros and ones by hand; your own layer
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
