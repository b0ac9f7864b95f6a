import torch
from torch import nn

config = {"width": 32, "depth": 3, "activation": "swish"}


class Mlp(nn.Module):
    def __init__(self, width, depth, activation):
        super().__init__()
        self.acts = nn.ModuleDict({"relu": nn.ReLU(), "gelu": nn.GELU(), "tanh": nn.Tanh()})
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.activation = activation

    def forward(self, x):
        for layer in self.layers:
            x = self.acts[self.activation](layer(x))
        return x


model = Mlp(**config)
print(model(torch.randn(2, 32)).shape)
