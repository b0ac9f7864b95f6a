# the same tests again; a value in every round; a second branch that sets it
import torch
from torch import nn


class Quantizer(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = dropout

    def forward(self, x, layers=3):
        drops = self.training and self.dropout
        if drops:
            last = int(torch.randint(layers, ()))
        kept = []
        for layer in range(layers):
            if drops and layer > last:
                break
            kept.append(x * layer)
        if self.training and self.dropout:
            first = x
        if self.dropout and self.training:
            kept.append(first)
        for round in range(2):
            if round == 0:
                scale = x.new_ones(())
            scale = scale * 2
        return sum(kept) * scale


out = Quantizer(False)(torch.ones(1, 2)), Quantizer(True)(torch.ones(1, 2))
