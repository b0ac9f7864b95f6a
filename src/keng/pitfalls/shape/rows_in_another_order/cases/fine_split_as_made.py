# copies split as they were made; one mask for all; pairs of rows
import torch
from torch import nn


def beams(x, times):
    batch = x.size(0)
    first = x.repeat(times, 1).view(times, batch, -1)
    second = x.repeat_interleave(times, dim=0).view(batch, times, -1)
    third = x.unsqueeze(1).repeat(1, times, 1).view(batch * times, -1)
    fourth = third.view(batch, times, -1)
    return first, second, third, fourth


def guided(x):
    both = torch.cat([x] * 2)
    return both.view(2, x.size(0), -1), both.reshape(-1, 2, x.size(1))


def heads(q, mask):
    batch, steps, number, width = q.shape
    rows = q.permute(2, 0, 1, 3).reshape(-1, steps, width)
    scores = torch.bmm(rows, rows.transpose(1, 2))
    return scores.masked_fill(mask.repeat(number, 1, 1), -1e9)


x = torch.randn(4, 6)
beams(x, 2), guided(x), heads(torch.randn(3, 4, 2, 5), torch.rand(3, 4, 4) > 2)
number, steps = 2, 4
attention = nn.MultiheadAttention(8, number, batch_first=True)
later = torch.ones(steps, steps, dtype=torch.bool).triu(1)
tokens = torch.randn(3, steps, 8)
attention(tokens, tokens, tokens, attn_mask=later.unsqueeze(0).repeat(number * 3, 1, 1))
attention(tokens, tokens, tokens, attn_mask=later.expand(number * 3, -1, -1))
