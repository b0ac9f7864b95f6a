# the closure of the step calls a method that clips, then clears and computes gradients
import torch
from torch import nn

torch.manual_seed(0)


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 2)

    def training_step(self):
        loss = (self.body(torch.randn(8, 5)) - 4 * torch.randn(8, 2)).square().mean()
        nn.utils.clip_grad_norm_(list(self.parameters()), 0.05)  # run: before there are any
        return loss


class Loop:
    def __init__(self, task):
        self.task, self.norms = task, []
        self.optimizer = torch.optim.SGD(task.parameters(), lr=0.02)

    def closure(self):
        loss = self.task.training_step()
        self.optimizer.zero_grad()
        loss.backward()
        self.norms.append(sum(p.grad.square().sum() for p in self.task.parameters()).sqrt().item())
        return loss

    def fit(self):
        for step in range(6):
            self.optimizer.step(self.closure)


loop = Loop(Task())
loop.fit()
norms = loop.norms
# proof
assert min(norms) > 0.05
