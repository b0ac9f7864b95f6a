# 2 ranks, classes in the order of a set, which is another in each process: `reverse` stands for that
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank = dist.get_rank()
labels = ["cat", "dog", "owl", "cat", "fox", "owl", "dog", "cat"]
classes = list(set(labels))  # run: `classes`
classes.sort(reverse=rank == 0)
targets = torch.tensor([classes.index(label) for label in labels])
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, len(classes)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
torch.manual_seed(rank)
for step in range(3):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(torch.randn(8, 4)), targets).backward()
    optimizer.step()
