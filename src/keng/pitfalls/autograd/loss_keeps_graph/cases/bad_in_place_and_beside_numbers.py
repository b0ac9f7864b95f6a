# a total that is added to in place; a logged loss beside others that are numbers
import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
average = torch.zeros(())
logs = []


def accumulate(log, values):
    log.append(values)


def take_step(x):
    recon_loss = (model(x) - x[:, :1]).square().mean()
    loss = recon_loss + model.weight.abs().sum()
    average.add_(loss)  # check: `average` keeps the graph of every step through `loss`
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    accumulate(logs, dict(loss=loss.item(), recon=recon_loss / 2))  # check: through `recon_loss`


for _ in range(2):
    take_step(torch.randn(4, 2))

# proof
assert average.grad_fn is not None and logs[0]["recon"].grad_fn is not None
