# one weight, two values
import torch
from torch import nn
from torch.func import functional_call

layer = nn.Linear(2, 2)
model = nn.Sequential(layer, layer)
weights = {"0.weight": torch.ones(2, 2), "1.weight": torch.zeros(2, 2)}
y = functional_call(model, weights, torch.ones(1, 2))  # run: `0.weight`
