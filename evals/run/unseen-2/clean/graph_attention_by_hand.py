"""Attention over edges, full batch, with masks for training and testing and dropout on the edges."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F


class Attend(nn.Module):
    def __init__(self, width, out, drop=0.2):
        super().__init__()
        self.turn = nn.Linear(width, out, bias=False)
        self.giver, self.taker = (
            nn.Parameter(torch.randn(out) * 0.1),
            nn.Parameter(torch.randn(out) * 0.1),
        )
        self.drop = drop

    def forward(self, nodes, edges):
        source, goal = edges
        hidden = self.turn(nodes)
        score = F.leaky_relu((hidden @ self.giver)[source] + (hidden @ self.taker)[goal], 0.2)
        weight = (score - score.max().detach()).exp()
        total = torch.zeros(len(nodes)).index_add_(0, goal, weight)
        weight = weight / total[goal].clamp_min(1e-9)
        weight = F.dropout(weight, self.drop, self.training)
        return torch.zeros_like(hidden).index_add_(0, goal, weight.unsqueeze(1) * hidden[source])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList(Attend(8, 8) for _ in range(2))
        self.out = Attend(16, 4)

    def forward(self, nodes, edges):
        hidden = torch.cat([F.elu(head(nodes, edges)) for head in self.heads], 1)
        return F.log_softmax(self.out(hidden, edges), 1)


torch.manual_seed(0)
labels = torch.randint(4, (300,))
edges = torch.randint(300, (2, 4000))
edges = edges[:, (labels[edges[0]] == labels[edges[1]]) | (torch.rand(4000) < 0.1)]
edges = torch.cat([edges, torch.arange(300).expand(2, -1)], 1)
nodes = torch.randn(300, 8) + 0.7 * F.one_hot(labels, 8)
known = torch.arange(300) < 100
net = Net()
optimizer = torch.optim.Adam(net.parameters(), 0.01, weight_decay=5e-4)
best, wait = 0.0, 0
for epoch in range(100):
    net.train()
    optimizer.zero_grad()
    loss = F.nll_loss(net(nodes, edges)[known], labels[known])
    loss.backward()
    optimizer.step()
    net.eval()
    with torch.no_grad():
        right = (net(nodes, edges).argmax(1) == labels)[~known].float().mean().item()
    best, wait = (right, 0) if right > best else (best, wait + 1)
    if wait > 20:
        break
print(epoch, f"{best:.3f}")
show(net)
