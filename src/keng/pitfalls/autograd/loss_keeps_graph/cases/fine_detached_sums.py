# what is added is detached; a dictionary that is only printed; gradients that are added by hand
import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
average = torch.zeros(())


def show(values):
    print({name: float(value) for name, value in values.items()})


for _ in range(2):
    x = torch.randn(4, 2)
    loss = (model(x) - x[:, :1]).square().mean()
    average.add_(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    show({"loss": loss.item(), "raw": loss})
