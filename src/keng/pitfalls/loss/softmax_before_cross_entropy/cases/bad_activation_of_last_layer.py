# the last layer that the network appends is given softmax as its activation
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F


class Layer(nn.Module):
    def __init__(self, inputs, outputs, activation=None):
        super().__init__()
        self.fc = nn.Linear(inputs, outputs)
        self.activation = activation

    def forward(self, x):
        x = self.fc(x)
        return self.activation(x) if self.activation else x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList()
        self.layers.append(Layer(4, 8, activation=F.relu))
        self.layers.append(Layer(8, 3, activation=partial(F.softmax, dim=1)))  # check: the last layer of `Net`

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


torch.manual_seed(0)
model = Net()
output = model(torch.randn(5, 4))
loss = F.cross_entropy(output[:3], torch.tensor([0, 1, 2]))  # run: applies one itself

# proof
assert torch.allclose(output.sum(1), torch.ones(5))
