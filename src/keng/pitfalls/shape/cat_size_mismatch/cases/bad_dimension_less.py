# a dimension less
import torch

features, age = torch.zeros(4, 3), torch.zeros(4)
x = torch.cat([features, age], dim=1)  # run: `age.unsqueeze(1)`
