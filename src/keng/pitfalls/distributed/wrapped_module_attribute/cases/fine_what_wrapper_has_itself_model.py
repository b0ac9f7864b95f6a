# an attribute of the wrapper; a model that may be unwrapped; an attribute that is assigned
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.dim = nn.Linear(4, 2), 4

    def forward(self, x):
        return self.fc(x)

    def train(self, mode=True):
        return super().train(mode)


net = nn.DataParallel(Net())
net.train()
net.forward(torch.ones(1, 4))
net.dim = 4
maybe = Net()
if torch.cuda.device_count() > 1:
    maybe = nn.DataParallel(maybe)
else:
    maybe.fc.reset_parameters()
if hasattr(net, "fc"):
    print(net.fc)
