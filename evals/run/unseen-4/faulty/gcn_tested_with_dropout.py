"""A graph net by hand, the whole graph in one batch: it is tested without `eval()`."""

import argparse

import torch
from digest import show
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph
from torch import nn
from torch.nn import functional as F


class GCNConv(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.lin = nn.Linear(inside, outside, bias=False)
        self.bias = nn.Parameter(torch.zeros(outside))

    def forward(self, x, adj):
        return adj @ self.lin(x) + self.bias


class GCN(nn.Module):
    def __init__(self, features, hidden, classes, dropout):
        super().__init__()
        self.conv1, self.conv2 = GCNConv(features, hidden), GCNConv(hidden, classes)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, adj):
        x = F.relu(self.conv1(self.dropout(x), adj))
        return self.conv2(self.dropout(x), adj)


def load(count=500):
    digits = load_digits()
    links = kneighbors_graph(digits.data[:count], 6).toarray()
    adj = torch.tensor(links + links.T > 0).float() + torch.eye(count)
    scale = adj.sum(1).rsqrt()
    x = torch.tensor(digits.data[:count], dtype=torch.float32) / 16
    order = torch.randperm(count)
    return (
        x,
        scale[:, None] * adj * scale,
        torch.tensor(digits.target[:count]),
        order[:100],
        order[100:],
    )


def train(model, optimizer, x, adj, y, mask):
    model.train()
    optimizer.zero_grad()
    out = model(x, adj)
    loss = F.cross_entropy(out[mask], y[mask])
    loss.backward()
    optimizer.step()
    return float(loss)


@torch.no_grad()
def test(model, x, adj, y, *masks):
    pred = model(x, adj).argmax(dim=-1)  # run: eval-mode-missing
    return [int((pred[mask] == y[mask]).sum()) / len(mask) for mask in masks]


parser = argparse.ArgumentParser()
parser.add_argument("--hidden_channels", type=int, default=16)
parser.add_argument("--lr", type=float, default=0.01)
parser.add_argument("--epochs", type=int, default=60)
args = parser.parse_args()
torch.manual_seed(12)
x, adj, y, train_mask, test_mask = load()
model = GCN(64, args.hidden_channels, 10, 0.5)
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=5e-4)
best = 0.0
for epoch in range(1, args.epochs + 1):
    loss = train(model, optimizer, x, adj, y, train_mask)
    accuracies = test(model, x, adj, y, train_mask, test_mask)  # run: eval-mode-missing
    best = max(best, accuracies[1])
print(f"{loss:.4f} {best:.3f}")
show(model)
