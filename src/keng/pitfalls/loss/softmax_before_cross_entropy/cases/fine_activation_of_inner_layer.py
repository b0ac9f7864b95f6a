# softmax is the activation of a layer inside; the last one has none
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
        self.layers.append(Layer(4, 8, activation=nn.Softmax(dim=1)))
        self.layers.append(Layer(8, 3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


model = Net()
print(F.cross_entropy(model(torch.randn(3, 4)), torch.tensor([0, 1, 2])))
