# where `torch` is not a name that the fix could use
from torch import nn, optim, randn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(randn(64, 8), randn(64, 1))
net = nn.Sequential(nn.Linear(8, 1))
optimizer = optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(data, batch_size=16):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
net.eval()
for x, y in DataLoader(data, batch_size=8):
    off = (net(x) - y).abs().max().item()  # check: eight graphs
