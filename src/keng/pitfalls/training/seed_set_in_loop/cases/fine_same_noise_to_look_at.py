# samples drawn from the same noise in each round, to compare them; an offset that is fixed
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
fixed = torch.randn(16, 4, generator=torch.Generator().manual_seed(3))
for step in range(8):
    x = torch.randn(16, 4)
    loss = nn.functional.mse_loss(model(x + fixed + 0.1 * torch.randn_like(x)), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        samples = model(torch.randn(16, 4, generator=torch.Generator().manual_seed(3)))
