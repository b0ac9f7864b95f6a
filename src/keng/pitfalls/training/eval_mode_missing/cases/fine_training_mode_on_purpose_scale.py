# in training mode on purpose: a scale before training, statistics anew, the loss as training sees it, Monte Carlo dropout, samples
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.drop, self.fc = nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 1)

    def forward(self, x):
        return self.fc(self.drop(self.norm(x)))


@torch.no_grad()
def scale_first(model, loader):
    model.train()
    for x, _ in loader:
        model.fc.weight /= model(x).std()


@torch.no_grad()
def reestimate(model, loader):
    for x, _ in loader:
        model(x)


@torch.no_grad()
def loss_in_training(model, loader):
    model.train()
    return [(model(x) - y).square().mean().item() for x, y in loader]


@torch.no_grad()
def spread(model, loader):
    model.train()
    for x, _ in loader:
        spread = torch.stack([model(x) for _ in range(5)]).std(0)
    return spread


data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
net, noise = Net(), torch.randn(16, 8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scale_first(net, val_loader)
for x, y in train_loader:
    optimizer.zero_grad()
    (net(x) - y).square().mean().backward()
    optimizer.step()
samples = [net(part).detach() for part in noise.split(4)]
reestimate(net, val_loader)
loss_in_training(net, train_loader)
spread(net, val_loader)


@torch.no_grad()
def act(policy, state):
    action = (policy(state) > 0).long()
    return action[:1]


@torch.no_grad()
def agreement(model, x, labels):
    votes = torch.stack([model(x) for _ in range(5)]).mean(0) > 0
    return (votes == labels).float().mean().item()


act(net, noise)
agreement(net, noise, noise[:, :1] > 0)
net.eval()
net.drop.train()
with torch.no_grad():
    for x, y in val_loader:
        guess = net(x)
