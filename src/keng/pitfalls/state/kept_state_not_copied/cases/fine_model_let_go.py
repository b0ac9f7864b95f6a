# the model is deleted before another one of that name is trained
import torch
from torch import nn


def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        net(torch.ones(2, 4)).square().mean().backward()
        optimizer.step()


net = nn.Linear(4, 1)
train(net)
state = net.state_dict()
del net
for _ in range(2):
    other = nn.Linear(4, 1)
    train(other)
torch.save(state, "model.pt")
