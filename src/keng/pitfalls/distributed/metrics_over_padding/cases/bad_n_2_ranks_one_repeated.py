# 2 ranks, five samples of which one is repeated
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(5, 4), torch.arange(5) % 2)
sampler = DistributedSampler(data, shuffle=False)  # check: padded
loader = DataLoader(data, batch_size=2, sampler=sampler)
model = nn.Linear(4, 2).eval()
counts = torch.zeros(2)
with torch.no_grad():
    for x, y in loader:  # run: 1 of the 5
        right = (model(x).argmax(1) == y).sum()
        counts += torch.tensor([right, len(y)])
dist.all_reduce(counts)
print(counts[0] / counts[1])
