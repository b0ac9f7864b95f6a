# a step between two backward passes
import torch
from torch import nn

body, head = nn.Linear(4, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
score = head(body(torch.randn(2, 4))).mean()
first, second = score.square(), score.abs()
first.backward(retain_graph=True)
optimizer.step()
second.backward()  # run: the weights have changed since the forward pass
