# a number that is replaced but keeps its gradient, a detached factor, a constant, a logged sum
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
total = torch.zeros(())
for step in range(8):
    x, y = torch.randn(16, 8), torch.randint(3, (16,))
    main = nn.functional.cross_entropy(model(x), y)
    penalty = model.weight.square().sum()
    balanced = penalty * (main.detach() / penalty.detach())
    clipped = penalty + (penalty.clamp(max=1) - penalty).detach()
    loss = main + 0.1 * balanced + 0.1 * clipped + torch.tensor(1.0)
    total = total + loss.detach()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
