# added to the optimizer afterwards; a new optimizer; another model; an activation; a layer that wraps itself
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head, self.act = nn.Linear(4, 4), nn.Linear(4, 2), nn.ReLU()


net, other, third, fourth = Net(), Net(), Net(), Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.head = nn.Linear(4, 2)
optimizer.add_param_group({"params": net.head.parameters()})
optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
third.head = nn.Linear(4, 3)
other.act = nn.GELU()
other.body = nn.Sequential(other.body, nn.ReLU())
fourth_optimizer = torch.optim.SGD(fourth.parameters(), lr=0.1)
fourth.head = nn.Linear(4, 3)
fourth_optimizer = torch.optim.SGD(fourth.parameters(), lr=0.1)
