# an output that is no tensor
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return {"size": str(x.shape), "y": x}


traced = torch.jit.trace(Net(), torch.ones(2))  # run: only tensors come out
