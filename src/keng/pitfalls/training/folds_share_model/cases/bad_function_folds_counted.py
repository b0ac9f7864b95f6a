# by a function, folds counted
import torch
from sklearn import model_selection
from torch import nn


def train(net, optimizer, x, y):
    for _ in range(60):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


torch.manual_seed(0)
x, y = torch.randn(60, 20), torch.arange(60) % 2
net, scores = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 2)), []
folds = model_selection.StratifiedKFold(n_splits=5)
for fold, (seen, unseen) in enumerate(folds.split(x, y)):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    train(net, optimizer, x[seen], y[seen])  # check: too
    scores.append((net(x[unseen]).argmax(1) == y[unseen]).float().mean().item())

# proof
assert scores[0] < 0.7 < 0.9 < scores[-1]
