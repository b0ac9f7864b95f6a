# dirty data
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images = torch.randn(64, 8)
images[21, 3] = float("nan")
loader = DataLoader(TensorDataset(images, torch.randn(64, 1)), batch_size=16)
net = nn.Linear(8, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for x, y in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)  # run: `NaN at batch 2, first in sample 5`
    loss.backward()
    optimizer.step()
