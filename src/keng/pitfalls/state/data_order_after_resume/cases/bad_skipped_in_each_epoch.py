# batches that were done are skipped by their number, in every epoch
import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader(torch.randn(80, 4), batch_size=4)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters())
done, trained = 7, []
for epoch in range(1, 4):
    trained.append(0)
    for step, x in enumerate(loader):
        if step < done:
            continue
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()  # run: the first 7 of 20 batches
        trained[-1] += 1
# proof
assert trained == [13, 13, 13]
