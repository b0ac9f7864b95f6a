# the good program of the page with its training
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.drop, self.out = nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 3)

    def forward(self, x):
        return self.out(self.drop(self.fc(x).relu()))


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    correct = 0
    net.eval()
    with torch.no_grad():
        for x, y in val_loader:
            correct += (net(x).argmax(1) == y).sum().item()
