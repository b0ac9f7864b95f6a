# an optimizer without state; a new model or input in each round; the state is restored each time
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
begun = copy.deepcopy(model.state_dict())
loader = DataLoader(TensorDataset(torch.randn(32, 4)), batch_size=8)


def step(optimizer, model, x):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()


for (x,) in loader:
    plain = torch.optim.SGD(model.parameters(), lr=0.1)
    step(plain, model, x)
for (x,) in loader:
    learner = copy.deepcopy(model)
    inner = torch.optim.Adam(learner.parameters())
    step(inner, learner, x)
for (x,) in loader:
    model.load_state_dict(begun)
    adapting = torch.optim.Adam(model.parameters())
    step(adapting, model, x)
for (x,) in loader:
    lbfgs = torch.optim.LBFGS(model.parameters())

    def closure():
        lbfgs.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        return loss

    lbfgs.step(closure)
