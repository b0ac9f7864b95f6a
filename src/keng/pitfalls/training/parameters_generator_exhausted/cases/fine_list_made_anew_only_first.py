# a list; the generator is created again; only the first parameter; one use or the other; one generator per model; a single round
import torch
from torch import nn

net, adaptive = nn.Linear(2, 2), True
named = net.named_parameters()
print(dict(named).keys())
named = net.named_parameters()
groups = [{"params": p, "lr": 0.1} for _, p in named]
each = net.parameters()
print(next(each).device)
heads = sum(p.numel() for p in each)
first = net.parameters()
for p in first:
    if p.ndim > 1:
        break
rest = net.parameters()
if adaptive:
    optimizer = torch.optim.Adam(rest)
else:
    optimizer = torch.optim.SGD(rest, lr=0.1)
for model in (net, nn.Linear(2, 2)):
    own = model.parameters()
    net(torch.ones(1, 2)).sum().backward()
    nn.utils.clip_grad_norm_(own, 1.0)
once = net.parameters()
for step in range(2):
    if step == 0:
        print(len(list(once)))
later = net.parameters()
for step in range(2):
    print(len(list(later)))
    break
