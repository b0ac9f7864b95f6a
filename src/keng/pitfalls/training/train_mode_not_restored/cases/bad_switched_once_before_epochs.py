# switched once, before the epochs
import torch
from torch import nn
from torch.utils.data import DataLoader


modes = []


def train_one_epoch(loader, net, optimizer):
    for x in loader:
        optimizer.zero_grad()
        loss = net(x).square().mean()  # check: in eval mode from the second epoch on
        loss.backward()
        optimizer.step()
        modes.append(net.training)


@torch.no_grad()
def check_accuracy(loader, net):
    net.eval()
    return sum(net(x).square().mean().item() for x in loader)


def main():
    loader = DataLoader(list(torch.randn(16, 4)), batch_size=8)
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(3):
        train_one_epoch(loader, model, optimizer)
        print(check_accuracy(loader, model))
    return model


model = main()

# proof
assert modes[0] and not modes[-1]
