# a number that is not the example's
import torch
from torch.export import export

layer = torch.nn.Linear(3, 2)
export(layer, (torch.ones(4, 3),), dynamic_shapes=({0: 7},))  # run: `4`
