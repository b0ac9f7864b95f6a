# of a loader's batches
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=4)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, (x, y) in enumerate(loader):
    loss = F.mse_loss(model(x), y)
    loss.backward()  # check: four losses are added up
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
