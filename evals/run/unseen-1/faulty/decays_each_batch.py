"""A decay that was chosen for epochs is applied at each batch, by a lambda in a class."""

import torch
from digest import show
from sklearn.datasets import load_wine
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


class Experiment:
    def __init__(self, decay=0.85):
        self.model = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.1)
        self.schedule = LambdaLR(self.optimizer, lambda epoch: decay**epoch)

    def batch(self, x, y):
        self.optimizer.zero_grad(set_to_none=False)
        loss = nn.functional.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.schedule.step()  # run: learning-rate-vanished
        return loss.detach()


torch.manual_seed(0)
x, y = load_wine(return_X_y=True)
x, y = torch.tensor((x - x.mean(0)) / x.std(0)).float(), torch.tensor(y)
run = Experiment()
for epoch in range(30):
    losses = [run.batch(x[part], y[part]) for part in torch.randperm(178).split(18)]
print(torch.stack(losses).mean().item())
show(run.model)
