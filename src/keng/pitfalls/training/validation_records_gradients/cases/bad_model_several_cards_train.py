# a model that several cards train
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=8)
net = nn.DataParallel(nn.Sequential(nn.Dropout(0.1), nn.Linear(8, 3)))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    net.eval()
    correct = 0
    for x, y in val_loader:
        correct += (net(x).argmax(1) == y).sum().item()  # check: the graph is built and dropped
