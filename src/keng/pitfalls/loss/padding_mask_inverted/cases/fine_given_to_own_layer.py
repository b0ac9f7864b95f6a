# masks given to layers of the project: as they keep, as they hide, and to one that does both
import torch
from torch import nn

PAD = 0


class Keeps(nn.Module):
    def forward(self, x, mask):
        return (x @ x.mT).masked_fill(mask.unsqueeze(1) == 0, -1e9).softmax(-1) @ x


class Hides(nn.Module):
    def forward(self, x, mask):
        return (x @ x.mT).masked_fill(mask[:, None], -1e9).softmax(-1) @ x


class Both(nn.Module):
    def forward(self, x, mask, inverted):
        scores = x @ x.mT
        if inverted:
            return scores.masked_fill(mask[:, None], -1e9).softmax(-1)
        return scores.masked_fill(~mask[:, None], -1e9).softmax(-1)


ids, embed = torch.tensor([[5, 6, 7, PAD]]), nn.Embedding(10, 8)
Keeps()(embed(ids), ids != PAD), Keeps()(embed(ids), 1 - (ids == PAD).long())
Hides()(embed(ids), ids == PAD), Hides()(embed(ids), ~(ids != PAD))
Both()(embed(ids), ids == PAD, True), Both()(embed(ids), ids != PAD, False)
