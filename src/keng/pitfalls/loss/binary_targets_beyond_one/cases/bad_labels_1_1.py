# labels of -1 and 1
import torch
from torch import nn

torch.manual_seed(0)
net, criterion = nn.Linear(4, 1), nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
labels = torch.tensor([[-1.0], [1.0]]).repeat(4, 1)
optimizer.zero_grad()
loss = criterion(net(x), labels)  # run: from -1 to 1
loss.backward()
optimizer.step()
