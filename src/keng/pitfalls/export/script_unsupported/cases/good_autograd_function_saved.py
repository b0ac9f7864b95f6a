# A function in Python stands in a graph that is to do without Python
import io

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * 2


exported = torch.export.export(Net(), (torch.ones(2),))
torch.export.save(exported, io.BytesIO())
