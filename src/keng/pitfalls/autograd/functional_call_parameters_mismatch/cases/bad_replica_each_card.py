# a replica for each card
import torch
from torch import nn
from torch.func import functional_call

model = nn.DataParallel(nn.Linear(2, 2))
y = functional_call(model, dict(model.named_parameters()), torch.ones(1, 2))  # run: `model.module`
