# a part that is not there
import torch
from torch import nn

gm = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
gm.delete_submodule("1")
gm.graph.lint()  # run: `add_submodule`
