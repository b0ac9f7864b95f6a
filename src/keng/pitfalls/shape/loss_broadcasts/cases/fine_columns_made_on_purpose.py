# columns that the program makes for pairs, and pairs whose rows are used
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(64, 4), torch.randn(64)
for step in range(6):
    part = torch.randperm(64)[:16]
    score, truth = model(x[part]), y[part]
    ranks = (score.squeeze(1).unsqueeze(1) - score.squeeze(1)).sigmoid().mean()
    near = (score * truth).softmax(dim=1).diagonal().mean()
    lengths = x[part].square().sum(1, keepdim=True) + truth.square()
    loss = (score.squeeze(1) - truth).square().mean() + ranks + near + 0 * lengths.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
