# the rate is set to 0 where the module is not in training
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width=4, dropout=0.1):
        super().__init__()
        self.project, self.dropout = nn.Linear(width, width), dropout

    def forward(self, x):
        weights = torch.softmax(self.project(x), dim=-1)
        dropout = self.dropout
        if not self.training:
            dropout = 0.0
        if dropout > 0.0:
            weights = F.dropout(weights, p=dropout)
        return weights


out = Attention()(torch.rand(2, 4))
