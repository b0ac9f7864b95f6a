# tested once after a long training, by a function with a loader
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


@torch.no_grad()
def test(model, loader):
    return sum(int((model(x).argmax(1) == y).sum()) for x, y in loader)  # run: `1`


torch.manual_seed(0)
x = torch.randn(240, 6)
data = TensorDataset(x, (x[:, 0] > 0).long())
model = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
train(model, DataLoader(data, 20, shuffle=True), 12)
print(test(model, DataLoader(data, 48)))
