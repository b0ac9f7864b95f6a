# 2 ranks: copies are summed, totals are set to zero, and one tensor is summed again unchanged
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
model(torch.randn(8, 4)).square().mean().backward()
optimizer.step()
local, window, same = torch.zeros(()), torch.zeros(()), torch.ones(2)
for batch in torch.randn(48, 4).split(8):
    error = model(batch).detach().abs().sum()
    local += error
    shown = local.clone()
    dist.all_reduce(shown)
    window.zero_()
    window += error
    dist.all_reduce(window)
    dist.all_reduce(same)
