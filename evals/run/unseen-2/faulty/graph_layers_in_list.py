"""The message-passing layers of a graph net stand in a plain list."""

import itertools

import torch
from digest import show
from torch import nn
from torch.nn import functional as F


class Convolution(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        self.own, self.near = nn.Linear(width, out), nn.Linear(width, out, bias=False)

    def forward(self, nodes, edges):
        source, goal = edges
        summed = torch.zeros_like(nodes).index_add_(0, goal, nodes[source])
        count = torch.zeros(len(nodes)).index_add_(0, goal, torch.ones(len(goal)))
        return self.own(nodes) + self.near(summed / count.clamp(min=1).unsqueeze(1))


class GraphNet(nn.Module):
    def __init__(self, width, hidden, classes, depth=3):
        super().__init__()
        sizes = [width] + [hidden] * depth
        layers = [Convolution(a, b) for a, b in itertools.pairwise(sizes)]
        self.layers = layers  # run: module-not-registered or parameters-not-optimized
        self.head = nn.Linear(hidden, classes)

    def forward(self, nodes, edges):
        for layer in self.layers:
            nodes = F.relu(layer(nodes, edges))
        return self.head(nodes)


def planted(nodes, classes):
    labels = torch.randint(classes, (nodes,))
    edges = torch.randint(nodes, (2, nodes * 12))
    same = labels[edges[0]] == labels[edges[1]]
    return labels, edges[:, same | (torch.rand(edges.shape[1]) < 0.2)]


torch.manual_seed(0)
labels, edges = planted(300, 4)
nodes = torch.randn(300, 8) + F.one_hot(labels, 8)
known = torch.rand(300) < 0.3
model = GraphNet(8, 16, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(60):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(nodes, edges)[known], labels[known])
    loss.backward()
    optimizer.step()
    if epoch % 20 == 19:
        model.eval()
        with torch.no_grad():
            right = model(nodes, edges).argmax(1) == labels
        print(f"{right[~known].float().mean().item():.3f}")
show(model)
