# a rate set by hand to zero for a few steps, or for the last ones
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(6):
    for step, batch in enumerate(DataLoader(torch.randn(240, 4), batch_size=8)):
        optimizer.param_groups[0]["lr"] = 0.0 if step < 4 or epoch == 5 else 0.1
        optimizer.zero_grad()
        model(batch).square().mean().backward()
        optimizer.step()
