# 2 ranks; the mean over accumulated batches
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model, batches = nn.parallel.DistributedDataParallel(nn.Linear(4, 1)), 2
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(8, 4)
for step in range(3):
    optimizer.zero_grad()
    for batch in range(batches):
        model(x).square().mean().backward()
    for parameter in model.parameters():
        parameter.grad /= batches
    optimizer.step()
