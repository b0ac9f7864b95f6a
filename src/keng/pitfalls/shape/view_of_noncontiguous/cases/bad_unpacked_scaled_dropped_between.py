# unpacked, scaled and dropped in between
import math

import torch
import torch.nn.functional as F


def attend(x, heads):
    b, t, c = x.shape
    q, k, v = (y.view(b, t, heads, c // heads).transpose(1, 2) for y in (x, x, x))
    weights = q @ k.transpose(-2, -1) / math.sqrt(c // heads)
    weights = F.dropout(F.softmax(weights, dim=-1), 0.1)
    y = (weights @ v).transpose(1, 2)
    return y.view(b, t, c)  # check: the heads lie apart


y = attend(torch.zeros(2, 5, 8), 2)
