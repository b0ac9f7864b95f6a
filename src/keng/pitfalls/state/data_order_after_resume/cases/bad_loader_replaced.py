# needs: import accelerate
# the loader itself is replaced by one that skips
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader

accelerator = Accelerator(cpu=True)
loader = DataLoader(torch.randn(40, 4), batch_size=4)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters())
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
loader = accelerator.skip_first_batches(loader, 6)  # check: all iterate over it
trained = []
for epoch in range(2):
    trained.append(0)
    for x in loader:
        optimizer.zero_grad()
        accelerator.backward(model(x).square().mean())
        optimizer.step()
        trained[-1] += 1
# proof
assert trained == [4, 4]
