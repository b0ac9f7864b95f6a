# masks of two kinds have two names, one is inverted where it is used, and both siblings hide
import torch
from torch import nn

PAD = 0


def masks(source, target):
    src_mask = source != PAD
    tgt_key_padding_mask = target == PAD
    return src_mask, tgt_key_padding_mask


def both(source, target):
    src_padding_mask = source == PAD
    tgt_padding_mask = target == PAD
    non_pad_mask = ~(source == PAD)
    return src_padding_mask, tgt_padding_mask, non_pad_mask


layer = nn.TransformerEncoderLayer(4, 1, batch_first=True)
ids = torch.tensor([[5, 6, PAD]])
encoder_attention_mask = (ids != PAD).long()
hidden = layer(torch.randn(1, 3, 4), src_key_padding_mask=encoder_attention_mask == 0)
print(masks(ids, ids), both(ids, ids), hidden.shape)
