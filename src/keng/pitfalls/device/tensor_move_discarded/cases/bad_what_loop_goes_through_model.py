# what a loop goes through, and a model is given
import torch
from torch import nn


def train(model, pairs, device):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for (one, other), label in pairs:
        one.to(device)  # check: the copy on the GPU is dropped
        other = other.to(device)
        optimizer.zero_grad()
        (model(one) - model(other)).square().mean().backward()
        optimizer.step()


device = "cuda" if torch.cuda.is_available() else "meta"
pairs = [((torch.ones(4, 3), torch.zeros(4, 3)), 1)]
train(nn.Linear(3, 2).to(device), pairs, device)
