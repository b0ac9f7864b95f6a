# shuffle=False; a single epoch; a sampler for evaluation
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler

data = list(torch.arange(8.0))
ordered = DistributedSampler(data, num_replicas=1, rank=0, shuffle=False)
loader = DataLoader(data, batch_size=4, sampler=ordered)
once = DataLoader(data, batch_size=4, sampler=DistributedSampler(data, num_replicas=1, rank=0))
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for x in loader:
        optimizer.zero_grad()
        model(x[:, None]).square().mean().backward()
        optimizer.step()
for x in once:
    optimizer.zero_grad()
    model(x[:, None]).square().mean().backward()
    optimizer.step()
