# a list of models
from torch import nn
from torch.optim import SGD

models = [nn.Linear(2, 2), nn.Linear(2, 2)]
optimizer = SGD(models.parameters(), lr=0.1)  # run: `models` is a list
