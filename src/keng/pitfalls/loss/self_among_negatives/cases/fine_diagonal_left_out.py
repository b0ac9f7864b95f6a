# a product with a mask; a diagonal that is subtracted, or written in place; two different views; attention
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(12, 8)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
rows = torch.randn(16, 12)
other = 1 - torch.eye(16)
for step in range(6):
    one, two = (nn.functional.normalize(model(rows + 0.1 * torch.randn_like(rows)), dim=1) for _ in range(2))
    similarity = torch.exp(one @ one.t() / 0.2)
    loss = torch.log((similarity * other).sum(1)).mean()
    loss = loss + torch.log(torch.exp(two @ two.t() / 0.2).sum(1) - torch.exp(torch.tensor(5.0))).mean()
    scores = one @ one.t() / 0.2
    scores.fill_diagonal_(float("-inf"))
    loss = loss + torch.log(scores.exp().sum(1)).mean() + torch.log((one @ two.t()).exp().sum(1)).mean()
    loss = loss + ((one @ one.t()).softmax(1) @ two).square().mean()
    kernel = torch.exp(one @ one.t())
    loss = loss + torch.log(kernel.sum(1) - kernel.diagonal()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
