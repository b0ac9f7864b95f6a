# a counter that fits the restored rate; a warm-up by hand; two optimizers in turn; a wrapped optimizer
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)


def train(optimizer):
    optimizer.zero_grad()
    model(torch.ones(8, 4)).square().mean().backward()
    optimizer.step()


resumed = torch.optim.SGD(model.parameters(), lr=0.1)
decay = torch.optim.lr_scheduler.ExponentialLR(resumed, 0.5)
decay.last_epoch = 3
resumed.param_groups[0]["lr"] = 0.1 * 0.5**3
for epoch in range(3, 5):
    train(resumed)
    decay.step()

warmed = torch.optim.SGD(model.parameters(), lr=0.1)
cosine = torch.optim.lr_scheduler.CosineAnnealingLR(warmed, 10)
for step in range(12):
    if step < 4:
        warmed.param_groups[0]["lr"] = 0.02 * step
    train(warmed)
    cosine.step()

first, second = (torch.optim.SGD(model.parameters(), lr=0.1) for _ in range(2))
halving = torch.optim.lr_scheduler.StepLR(first, 2, 0.5)
for epoch in range(12):
    train(second if epoch % 2 else first)
    halving.step()


class Wrapped(torch.optim.Optimizer):
    """As Accelerate wraps one."""

    def __init__(self, inner):
        self.inner = inner

    @property
    def param_groups(self):
        return self.inner.param_groups

    @property
    def state(self):
        return self.inner.state

    def zero_grad(self, set_to_none=True):
        self.inner.zero_grad(set_to_none)

    def step(self, closure=None):
        return self.inner.step(closure)


wrapped = Wrapped(torch.optim.SGD(model.parameters(), lr=0.1))
halved = torch.optim.lr_scheduler.StepLR(wrapped, 2, 0.5)
for epoch in range(8):
    train(wrapped)
    halved.step()
