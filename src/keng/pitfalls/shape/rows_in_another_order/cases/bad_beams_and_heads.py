# beams read in the other order; heads merged behind the batch meet a mask repeated before it
import torch
from torch import nn


class Beams(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.score = nn.Linear(width, width)

    def forward(self, x, beams):
        batch = x.size(0)
        copies = self.score(x.repeat(beams, 1))
        return copies.view(batch, beams, -1)  # check: copies of different rows


class Heads(nn.Module):
    def forward(self, q, mask, heads):
        batch, steps, _, width = q.shape
        rows = q.permute(0, 2, 1, 3).reshape(-1, steps, width)
        hidden = mask.repeat(q.size(2), 1, 1)
        scores = torch.bmm(rows, rows.transpose(1, 2))
        return scores.masked_fill(hidden, -1e9).softmax(-1)  # check: opposite orders


def interleaved(x, times):
    return x.repeat_interleave(times, dim=0).view(times, x.size(0), -1)  # check: copies


torch.manual_seed(0)
x = torch.randn(3, 8)
read = Beams(8)(x, 2)
Heads()(torch.randn(3, 4, 2, 5), torch.rand(3, 4, 4) > 2, 2)
split = interleaved(x, 2)

# proof
assert not torch.equal(read[0, 0], read[0, 1])  # not two copies of one row
assert not torch.equal(split[0], split[1])
