# an activation
import torch
import torch.nn.functional as F

y = F.relu(torch.ones(2, dtype=torch.cfloat))  # run: `clamp`
