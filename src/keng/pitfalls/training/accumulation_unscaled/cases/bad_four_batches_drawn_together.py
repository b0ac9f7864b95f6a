# four batches are drawn together
from itertools import islice

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
batches = iter(DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=4))
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
while four := list(islice(batches, 4)):
    for x, y in four:
        F.mse_loss(model(x), y).backward()  # run: 4 batches
    optimizer.step()
    optimizer.zero_grad()
