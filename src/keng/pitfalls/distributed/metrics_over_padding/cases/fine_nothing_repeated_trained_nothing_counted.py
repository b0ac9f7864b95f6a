# no sample repeated; used for training; no metric computed
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

data = TensorDataset(torch.randn(5, 4), torch.tensor([0, 1, 0, 1, 0]))
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
even = DistributedSampler(data, num_replicas=2, rank=0, shuffle=False, drop_last=True)
ordered = DistributedSampler(data, num_replicas=2, rank=0, shuffle=False)
total = 0
with torch.no_grad():
    for x, y in DataLoader(data, batch_size=2, sampler=even):
        total += len(y)
    for x, y in DataLoader(data, batch_size=2, sampler=ordered):
        print(model(x).argmax(1))
for x, y in DataLoader(data, batch_size=2, sampler=ordered):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    total += len(y)
