# NaN marks missing values, and the program handles it
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
x = torch.randn(32, 4)
x[::3, 1] = float("nan")
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for inputs in DataLoader(x, batch_size=8):
    missing = inputs.isnan()
    optimizer.zero_grad()
    model(torch.cat([inputs.nan_to_num(), missing.float()], 1)).square().mean().backward()
    optimizer.step()
