# modules move in place; a value that is stored; a residual of an earlier value; two spellings that are both read
import torch
from torch import nn


def moved(models, batch):
    for model in models:
        model = model.to(torch.float64)
    for key, value in batch.items():
        value = value.double()
        batch[key] = value
    return models, batch


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.norm = nn.Linear(2, 2), nn.LayerNorm(2)

    def forward(self, x):
        residual = x
        x = self.norm(x)
        x = self.layer(x)
        x = x + residual
        shortcut = x
        for _ in range(2):
            x = self.layer(x)
            x = x + shortcut
        return x


def sizes(batchsize):
    batch_size = batchsize * 2
    return batch_size, batchsize


models, batch = moved([Block()], {"x": torch.ones(1, 2)})
out = models[0](batch["x"]), sizes(2)
