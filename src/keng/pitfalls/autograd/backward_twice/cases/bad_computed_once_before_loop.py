# computed once, before the loop
import torch
from torch import nn

scale = torch.ones(4, requires_grad=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD([scale, *model.parameters()], lr=0.1)
weights = scale.exp()
for step in range(2):
    optimizer.zero_grad()
    loss = (model(torch.randn(8, 4)) * weights).square().mean()
    loss.backward()  # run: the graph of weights was freed in the first round
    optimizer.step()
