# a loss by hand, of which nothing warns
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = (model(x) - y).square().mean()  # run: (16, 1) and (16,)
    loss.backward()
    optimizer.step()
