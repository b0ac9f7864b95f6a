# a rate that is to fall by a tenth every five epochs, stepped for each batch
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5, gamma=0.1)
loader = DataLoader(TensorDataset(torch.ones(32, 2)), batch_size=1)
for epoch in range(3):
    for (x,) in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
        scheduler.step()  # check: `StepLR` was created for epochs

# proof
assert optimizer.param_groups[0]["lr"] < 1e-12
