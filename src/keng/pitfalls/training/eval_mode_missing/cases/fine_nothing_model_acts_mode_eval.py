# no layer depends on the mode; the caller calls `eval()`; all data in one loss
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(x)


class Net(Plain):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(8)

    def forward(self, x):
        return self.fc(self.norm(x))


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


@torch.no_grad()
def validate(model, loader):
    return sum((model(x).argmax(1) == y).sum().item() for x, y in loader)


@torch.no_grad()
def test(plain, loader):
    correct = 0
    for x, y in loader:
        correct += (plain(x).argmax(1) == y).sum().item()
    return correct


def whole_loss(model, loader):
    losses = []
    for x, y in loader:
        losses.append(nn.functional.cross_entropy(model(x), y))
    return torch.stack(losses).mean()


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
plain, net = Plain(), Net()
train(plain, loader, torch.optim.SGD(plain.parameters(), lr=0.1))
test(plain, val_loader)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
train(net, loader, optimizer)
optimizer.zero_grad()
whole_loss(net, loader).backward()
optimizer.step()
net.eval()
validate(net, val_loader)
