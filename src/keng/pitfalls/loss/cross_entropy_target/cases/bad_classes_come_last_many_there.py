# classes that come last, as many as there are words
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 5)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    scores, tokens = net(torch.randn(2, 5, 8)), torch.randint(5, (2, 5))
    loss = F.cross_entropy(scores, tokens)  # run: the second dimension is time, and fits by chance
    loss.backward()
    optimizer.step()
