# a model with two outputs; every pair on purpose; quantiles; actions
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16)
model, quantiles = nn.Linear(4, 1), nn.Linear(4, 3)
scores, taken = model(x), torch.randint(3, (16, 1))
loss = (scores.squeeze(1) - y).square().mean()
loss = loss + (scores - scores.t()).relu().mean()
loss = loss + (model(x) - y.unsqueeze(1)).square().mean()
loss = loss + (quantiles(x) - y.unsqueeze(1)).abs().mean()
differences = model(x).squeeze(1).unsqueeze(1) - y.unsqueeze(0)
loss = loss + differences.square().mean()
loss = loss + (quantiles(x).gather(1, taken).squeeze(1) - y).square().mean()
loss = loss + (quantiles(x).max(1, keepdim=True).values - y.unsqueeze(1)).square().mean()
loss.backward()
