# before what it uses
import torch
from torch import nn

gm = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
entry, linear, *_ = gm.graph.nodes
with gm.graph.inserting_before(linear):
    gm.graph.call_function(torch.neg, (linear,))
gm.graph.lint()  # run: `inserting_after`
