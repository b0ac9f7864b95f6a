# a decoder, whose scores of each time step are stacked
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
cell, out = nn.GRUCell(4, 8), nn.Linear(8, 5)
state, scores = torch.zeros(6, 8), []
for token in torch.randn(7, 6, 4):
    state = cell(token, state)
    scores.append(out(state))
loss = F.nll_loss(torch.stack(scores, 2), torch.randint(5, (6, 7)))  # run: `out`
loss.backward()

# proof
assert torch.stack(scores, 2).max() > 0
