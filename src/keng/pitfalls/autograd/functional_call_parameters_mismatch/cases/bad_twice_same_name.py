# twice the same name
import torch
from torch import nn
from torch.func import functional_call

weights = {"weight": torch.ones(2, 2)}
y = functional_call(nn.Linear(2, 2), (weights, weights), torch.ones(1, 2))  # run: `weight`
