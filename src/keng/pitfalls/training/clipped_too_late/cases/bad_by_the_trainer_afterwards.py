# a framework calls `backward` after the method that clips
import torch
from torch import nn

torch.manual_seed(0)


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 2))

    def training_step(self, batch):
        x, y = batch
        loss = nn.functional.mse_loss(self.body(x), y)
        nn.utils.clip_grad_norm_(list(self.parameters()), 0.25)  # run: before there are any
        return loss


class Loop:
    def fit(self, task, batches):
        optimizer = torch.optim.SGD(task.parameters(), lr=0.05)
        norms = []
        for batch in batches:
            loss = task.training_step(batch)
            loss.backward()
            norms.append(sum(p.grad.square().sum() for p in task.parameters()).sqrt().item())
            optimizer.step()
            optimizer.zero_grad()
        return norms


norms = Loop().fit(Task(), [(torch.randn(8, 6), 4 * torch.randn(8, 2)) for _ in range(8)])
# proof
assert min(norms) > 0.25
