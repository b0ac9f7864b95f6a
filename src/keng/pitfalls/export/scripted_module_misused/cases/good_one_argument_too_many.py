# A scripted function or an operator is called otherwise than its signature says
import torch
from torch import nn

layer = torch.export.export(nn.Linear(2, 2), (torch.ones(2),)).module()
y = layer(torch.tensor([1.0, 2.0]))
