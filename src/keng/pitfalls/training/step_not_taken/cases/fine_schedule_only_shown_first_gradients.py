# a schedule that is only plotted; the first gradients come late; the optimizer holds the stacked weights
import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

torch.manual_seed(0)
body, head = nn.Linear(4, 4), nn.Linear(4, 1)
shown = torch.optim.SGD(body.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.StepLR(shown, 2)
rates = []
for step in range(5):
    shown.step()
    rates.append(schedule.get_last_lr()[0])
    schedule.step()
members = [nn.Linear(4, 1) for _ in range(3)]
weights, _ = stack_module_state(members)
optimizer = torch.optim.SGD(list(weights.values()), lr=0.1)
late = torch.optim.SGD(head.parameters(), lr=0.1)
x = torch.randn(8, 4)
for step in range(5):
    out = vmap(lambda own: functional_call(members[0], own, (x,)))(weights)
    optimizer.zero_grad()
    out.square().mean().backward()
    optimizer.step()
    if step >= 3:
        late.zero_grad()
        head(x).square().mean().backward()
    if step >= 2:
        late.step()
