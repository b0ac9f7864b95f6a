# the optimizer is given the first of two networks, and the loss is computed from the second
import torch
from torch import nn


class Estimator(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def learning_loss(self, x):
        return (self.layer(x) - 1).square().mean()


class Solver:
    def __init__(self):
        self.first = Estimator()
        self.second = Estimator()  # check: no optimizer holds `self.second`
        self.optimizer = torch.optim.SGD(list(self.first.parameters()), lr=0.1)

    def step(self, x):
        loss = self.first.learning_loss(x) + self.second.learning_loss(x)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()  # run: nothing updates

    def fit(self, rounds):
        for _ in range(rounds):
            self.step(torch.randn(8, 4))


torch.manual_seed(0)
encoder = nn.Linear(4, 4)
head = nn.Linear(4, 1)  # check: no optimizer holds `head`
solver = Solver()
before = [t.clone() for t in solver.second.state_dict().values()]
solver.fit(30)
start = [t.clone() for t in head.state_dict().values()]
optimizer = torch.optim.SGD(list(encoder.parameters()), lr=0.1)
for _ in range(30):
    features = encoder(torch.randn(8, 4)).relu()
    optimizer.zero_grad()
    (head(features) - 1).square().mean().backward()
    optimizer.step()  # run: nothing updates
# proof
assert all(map(torch.equal, before, solver.second.state_dict().values()))
assert all(map(torch.equal, start, head.state_dict().values()))
