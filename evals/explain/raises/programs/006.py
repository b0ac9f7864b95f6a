# argument: "encoder"
import torch
from torch import fx

graph = fx.symbolic_trace(torch.nn.ReLU()).graph
module = fx.GraphModule("encoder", graph)
