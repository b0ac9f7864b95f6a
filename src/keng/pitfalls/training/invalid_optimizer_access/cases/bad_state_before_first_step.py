# a state, before the first step
from torch import nn
from torch.optim import Adam

layer = nn.Linear(2, 2)
optimizer = Adam(layer.parameters())
mean = optimizer.state[layer.weight]["exp_avg"]  # run: `exp_avg`
