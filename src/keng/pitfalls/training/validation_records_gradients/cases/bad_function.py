# in a function
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(x)


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def evaluate(model, loader):
    '''Accuracy on a loader,
    as a share.'''
    correct = 0
    for x, y in loader:
        output = model(x)  # check: the graph is built and dropped
        correct += (output.argmax(1) == y).sum().item()
    return correct / len(loader.dataset)


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    train(net, DataLoader(data, batch_size=16), optimizer)
    evaluate(net, DataLoader(data, batch_size=8))
