# nothing
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        x = self.fc(x)  # run: `the forward of Net has no return`


net, criterion = Net(), nn.CrossEntropyLoss()
loss = criterion(net(torch.ones(4, 3)), torch.ones(4).long())
