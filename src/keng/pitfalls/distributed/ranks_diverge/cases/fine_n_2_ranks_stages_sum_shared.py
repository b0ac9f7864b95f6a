# 2 ranks, the first and the last stage of a pipeline share a matrix, and sum its gradients
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
words = nn.Embedding(16, 8) if rank == 0 else nn.Linear(8, 16, bias=False)
mix = nn.Linear(8, 8)
with torch.no_grad():
    words.weight.copy_(torch.randn(16, 8, generator=torch.Generator().manual_seed(1)))
stage = nn.Sequential(words, mix) if rank == 0 else nn.Sequential(mix, words)
optimizer = torch.optim.SGD(stage.parameters(), lr=0.1)
tokens = torch.arange(16)
for step in range(8):
    optimizer.zero_grad()
    if rank == 0:
        hidden = stage(tokens)
        dist.send(hidden.detach(), 1)
        grad = torch.empty_like(hidden)
        dist.recv(grad, 1)
        hidden.backward(grad)
    else:
        hidden = torch.empty(16, 8)
        dist.recv(hidden, 0)
        hidden.requires_grad_()
        F.cross_entropy(stage(hidden), tokens.roll(1)).backward()
        dist.send(hidden.grad, 0)
    dist.all_reduce(words.weight.grad)
    optimizer.step()
dist.barrier()
