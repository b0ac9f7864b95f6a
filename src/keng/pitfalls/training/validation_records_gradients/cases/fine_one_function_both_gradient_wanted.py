# one function for both, a gradient wanted in evaluation, batch norm kept in eval mode to train
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.fc = nn.BatchNorm1d(8), nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(self.norm(x))


def run(model, loader, optimizer, train):
    model.train(train)
    with torch.set_grad_enabled(train):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            if train:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


def evaluate_attacked(model, loader):
    model.eval()
    for x, y in loader:
        x.requires_grad_(True)
        loss = nn.functional.cross_entropy(model(x), y)
        attack = torch.autograd.grad(loss, x)[0].sign()
    return attack


def tune(model, loader, optimizer):
    model.eval()
    losses = []
    for x, y in loader:
        losses.append(nn.functional.cross_entropy(model(x), y))
    optimizer.zero_grad()
    torch.stack(losses).mean().backward()
    optimizer.step()


def whole_loss(model, loader):
    losses = []
    for x, y in loader:
        losses.append(nn.functional.cross_entropy(model(x), y))
    return torch.stack(losses).mean()


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
loader = DataLoader(data, batch_size=16)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
run(net, loader, optimizer, train=True)
run(net, loader, optimizer, train=False)
evaluate_attacked(net, loader)
tune(net, loader, optimizer)
for step in range(2):
    net.train()
    optimizer.zero_grad()
    whole_loss(net, loader).backward()
    optimizer.step()
net.eval()
print(net(torch.randn(4, 8)).shape)
