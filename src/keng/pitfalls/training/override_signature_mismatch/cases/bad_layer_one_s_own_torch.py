# a layer of one's own in torch's encoder
import torch
from torch import nn


class Layer(nn.TransformerEncoderLayer):
    def forward(self, src, src_mask=None, src_key_padding_mask=None):
        return src + self.linear2(self.linear1(src))


encoder = nn.TransformerEncoder(Layer(8, 2), 1, enable_nested_tensor=False)
y = encoder(torch.ones(5, 2, 8))  # run: `is_causal=False`
