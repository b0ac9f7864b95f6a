# two batches are loaded together; each batch is sampled twice, or a part is divided
from itertools import islice

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for parts in (1, 2):
    batches = iter(DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=4))
    while two := list(islice(batches, 2)):
        for x, y in two:
            for _ in range(3 - parts):
                loss = F.mse_loss(model(x + 0.1 * torch.randn_like(x)), y)
                (loss / 2 if parts == 2 else loss).backward()
            if parts == 1:
                optimizer.step()
                optimizer.zero_grad()
        optimizer.step()
        optimizer.zero_grad()
