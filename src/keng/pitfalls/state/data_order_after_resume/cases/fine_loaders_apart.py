# needs: import accelerate
# a loader for the resumed epoch, and the whole one for the others
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader

accelerator = Accelerator(cpu=True)
loader = DataLoader(torch.randn(40, 4), batch_size=4)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters())
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
resumed = accelerator.skip_first_batches(loader, 6)
for epoch in range(3):
    for x in resumed if epoch == 0 else loader:
        optimizer.zero_grad()
        accelerator.backward(model(x).square().mean())
        optimizer.step()
