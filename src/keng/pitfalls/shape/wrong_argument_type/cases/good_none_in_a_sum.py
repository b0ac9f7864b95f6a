# A tensor is computed with or compared to what is no number and no tensor
import numpy as np
import torch
from torch import nn

x = torch.ones(3, requires_grad=True)
score = torch.as_tensor(np.ones(3, dtype="float32")) @ x
y = x + nn.Linear(3, 3)(x)
line = f"loss {score.item():.3f}"
