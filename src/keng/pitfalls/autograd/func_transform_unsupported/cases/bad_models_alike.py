# models that are not alike
import torch
from torch import nn

models = [nn.Linear(2, 2), nn.ReLU()]
state = torch.func.stack_module_state(models)  # run: `same class`
