# from the last epoch; the best of several models; while a different model is trained
import torch
from torch import nn


def train(net, lr, epochs=3):
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    loss = torch.tensor(1.0)
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = net(torch.randn(8, 4)).square().mean()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            last = net.state_dict()
        if epoch == epochs - 1:
            final = net.state_dict()
    return loss.item(), last, final


lowest = float("inf")
for lr in (0.1, 0.01):
    candidate = nn.Linear(4, 1)
    loss, _, _ = train(candidate, lr)
    if loss < lowest:
        lowest, best_model, best = loss, candidate, candidate.state_dict()
        best_model = candidate
best_model.load_state_dict(best)

model = nn.Linear(4, 1)
state = model.state_dict()
critic = nn.Linear(4, 1)
train(critic, 0.1)
model.load_state_dict(state)
